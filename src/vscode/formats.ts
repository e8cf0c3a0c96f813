import * as vscode from 'vscode';
import type { Formats } from '../core/ledger/words';

/** Figures and times as the person's VS Code has its language. */
export function createFormats(): Formats {
  const { language } = vscode.env;
  const number = new Intl.NumberFormat(language);
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  return { number: (value) => number.format(value), time: (at) => time.format(at) };
}
