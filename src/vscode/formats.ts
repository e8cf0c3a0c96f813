import * as vscode from 'vscode';
import type { Formats } from '../core/ledger/words';

/** A moment as the user's own language writes it. */
export function formatTime(at: number): string {
  return new Date(at).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}

/** `14:05` */
export function formatTimeOfDay(at: number): string {
  return new Date(at).toLocaleTimeString(vscode.env.language, { timeStyle: 'short' });
}

/** Figures and times as the user's own language writes them. */
export const formats: Formats = {
  number: (value) => value.toLocaleString(vscode.env.language),
  time: formatTime,
  day: (at) => new Date(at).toLocaleDateString(vscode.env.language, { dateStyle: 'medium' }),
};
