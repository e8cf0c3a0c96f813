import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { removedSummaryNotice } from '../../core/conversation/threads/removedSummary';
import {
  rewoundContext,
  rewoundFiles,
  rewoundNotices,
  undoQuestion,
  type RewoundFiles,
} from '../../core/conversation/threads/rewoundFiles';
import { lostNotice, threadNotice, type ThreadNotice } from '../../core/conversation/threads/threadNotices';
import type { Threads, ThreadView } from '../../core/conversation/threads/threads';
import type { ConversationId } from '../../core/conversation/turn';
import { showPlace } from '../../core/tools/paths/parsePath';
import type { Place } from '../../core/tools/workspace';
import { askOnce, cardTool } from '../tools/askPerson';
import { readFolders } from '../tools/places';
import type { Tools } from '../tools/tools';
import { readThread } from './chatThread';

/** A request whose conversation agrees with what its thread shows. */
export interface EnteredThread extends Pick<
  ThreadView,
  'thread' | 'position' | 'conversation' | 'isRemoved'
> {
  /** For Claude: what happened to files that removed turns had changed. */
  readonly context?: string;
  /** For the user, at once. */
  readonly notices: readonly string[];
  /** For the user, below the answer: above it VS Code collapses text. */
  readonly closing: ThreadNotice | undefined;
}

/**
 * Finds the conversation of a request and makes it agree with what the thread shows (M13). When turns were removed that
 * changed files, the user is asked about the files first; stopped there, nothing has happened, and the next request asks
 * again.
 */
export async function enterThread(
  { threads, tools }: { readonly threads: Threads; readonly tools: Tools },
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  signal: AbortSignal,
): Promise<EnteredThread> {
  const view = await threads.look(readThread(request, context));
  const folders = readFolders();
  const show = (place: Place) => showPlace(place, folders);
  const files = await rewoundFiles(view.cut, tools.changes, show);
  const outcome = files && (await offerUndo(files, { tools, show }, request, signal));
  const removedSummary = await threads.settle(view);
  return {
    thread: view.thread,
    position: view.position,
    conversation: view.conversation,
    isRemoved: view.isRemoved,
    ...(outcome && { context: outcome.context }),
    notices: [
      ...(outcome?.notices ?? []),
      ...(removedSummary ? [removedSummaryNotice(removedSummary)] : []),
      ...(view.lost.length > 0 ? [lostNotice(view.lost.length)] : []),
    ],
    closing: threadNotice(view, Date.now()),
  };
}

/** Pressed much later, a button still means the conversation that it was shown in. */
export function noticeButton({ action }: ThreadNotice, conversationId: ConversationId): vscode.Command {
  if (action.kind === 'start-fresh') {
    return {
      command: 'assistant.startFresh',
      title: l10n.t('Start Fresh Conversation'),
      arguments: [{ keepThread: action.keepThread, conversationId }],
    };
  }
  return {
    command: 'assistant.continueEnded',
    title: l10n.t('Continue It'),
    arguments: [action.archiveId, conversationId],
  };
}

async function offerUndo(
  files: RewoundFiles,
  { tools, show }: { readonly tools: Tools; readonly show: (place: Place) => string },
  { toolInvocationToken: token }: vscode.ChatRequest,
  signal: AbortSignal,
): Promise<{ readonly context: string; readonly notices: readonly string[] }> {
  const words = { yes: l10n.t('Undo Changes'), no: l10n.t('Keep') };
  const question = undoQuestion(files, show);
  // The first action in a reloaded window may be a Retry, before VS Code has its card.
  if (files.changes.length > 0) await tools.waitForTools([cardTool], signal);
  const isWanted =
    files.changes.length > 0 && (await askOnce(question, { token, whole: tools.whole }, signal, words));
  signal.throwIfAborted();
  const report = isWanted
    ? await tools.changes.undo(
        files.changes.map(({ id }) => id),
        signal,
      )
    : undefined;
  return {
    context: rewoundContext(files, report, show),
    notices: rewoundNotices(report, show),
  };
}
