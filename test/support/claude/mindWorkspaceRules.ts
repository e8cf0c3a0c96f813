import type { Conversation } from './mindConversation';
import type { Wishes } from './mindInput';
import { call, callOf, clip, type Move, type Rule } from './mindMove';
import { describeFile, describeHits, describeListing, findReadme, firstHitPath } from './mindProse';

/** What can be found out, or changed, with the tools on offer. */
export const workspaceRules: readonly Rule[] = [edit, search, problems, changes, readNamedFile, lookAround];

function edit(conversation: Conversation): Move | undefined {
  const { question } = conversation;
  const replaced =
    /\b(?:replace|change)\s+["'`“](.+?)["'`”]\s+(?:with|by|to)\s+["'`“](.+?)["'`”]\s+in\s+(\S+)/i.exec(
      question,
    );
  if (!replaced) return undefined;
  const [, oldText = '', newText = '', file = ''] = replaced;
  const path = file.replaceAll(/[`'".,;]+$|^[`'"]+/g, '');
  const done = callOf(conversation, 'edit_file');
  if (done)
    return {
      say: `Done: in \`${path}\` “${oldText}” now reads “${newText}”. You can undo it in the editor.`,
    };
  return (
    (callOf(conversation, 'read_file')
      ? undefined
      : call(conversation, 'read_file', { path }, `I read \`${path}\` first.`)) ??
    call(conversation, 'edit_file', { path, oldText, newText }, 'Now the edit.')
  );
}

function search(conversation: Conversation): Move | undefined {
  const { question } = conversation;
  if (!/\b(where|find|search|look for|usages?|who (calls|uses))\b/i.test(question)) return undefined;
  const term = termIn(question);
  if (term === undefined) return undefined;
  const found = callOf(conversation, 'search_text');
  if (!found)
    return call(conversation, 'search_text', { pattern: term }, `I search the workspace for \`${term}\`.`);
  const path = firstHitPath(found.output);
  const opened = callOf(conversation, 'read_file');
  if (path !== undefined && !opened) {
    const move = call(conversation, 'read_file', { path }, `I open the first hit, \`${path}\`.`);
    if (move) return move;
  }
  return {
    say: describeHits(term, found.output) + (opened ? `\n\n${describeFile(path ?? '', opened.output)}` : ''),
  };
}

function problems(conversation: Conversation): Move | undefined {
  return /\b(errors?|problems?|diagnostics|warnings?)\b/i.test(conversation.question)
    ? once(
        conversation,
        'get_diagnostics',
        {},
        'I look at the problems the editor knows of.',
        'The editor reports:',
      )
    : undefined;
}

function changes(conversation: Conversation): Move | undefined {
  return /\b(git|changed?|changes|diff|uncommitted)\b/i.test(conversation.question)
    ? once(conversation, 'get_changes', {}, 'I ask git.', 'Git reports:')
    : undefined;
}

function readNamedFile(conversation: Conversation): Move | undefined {
  const path = /(?:^|[\s`'"(])([\w./-]*\w\.[a-z]\w{0,7})\b/i.exec(conversation.question)?.[1];
  if (path === undefined) return undefined;
  const opened = callOf(conversation, 'read_file');
  return opened
    ? { say: describeFile(path, opened.output) }
    : call(conversation, 'read_file', { path }, `I read \`${path}\`.`);
}

function lookAround(conversation: Conversation): Move | undefined {
  if (
    !/\b(workspace|project|folder|director(y|ies)|repo(sitory)?|files?|code|here|readme)\b/i.test(
      conversation.question,
    )
  ) {
    return undefined;
  }
  const listed = callOf(conversation, 'list_directory') ?? callOf(conversation, 'find_files');
  if (!listed) {
    return (
      call(conversation, 'list_directory', { path: '.' }, 'I look at what is in the workspace.') ??
      call(conversation, 'find_files', { pattern: '**/*' }, 'I look for the files of the workspace.')
    );
  }
  const readme = findReadme(listed.output);
  const opened = callOf(conversation, 'read_file');
  if (readme !== undefined && !opened) {
    const move = call(conversation, 'read_file', { path: readme }, `There is a \`${readme}\`; I read it.`);
    if (move) return move;
  }
  const about = opened && readme !== undefined ? `\n\n${describeFile(readme, opened.output)}` : '';
  return { say: describeListing(listed.output) + about };
}

function once(
  conversation: Conversation,
  tool: string,
  wishes: Wishes,
  say: string,
  heading: string,
): Move | undefined {
  const done = callOf(conversation, tool);
  return done
    ? { say: `${heading}\n\n\`\`\`text\n${clip(done.output, 1500)}\n\`\`\`` }
    : call(conversation, tool, wishes, say);
}

/** What to search for: what is quoted, else what looks like an identifier, else the last long word. */
function termIn(question: string): string | undefined {
  const quoted = /[`"'“]([^`"'”]+)[`"'”]/.exec(question)?.[1];
  const identifier = /\b\w*(?:_\w+|[a-z][A-Z]\w*)\b/.exec(question)?.[0];
  const afterVerb =
    /\b(?:where (?:is|are|do|does)|find|search for|look for|usages? of|uses|calls)\s+(?:the |a |an )?([\w.-]{2,})/i.exec(
      question,
    )?.[1];
  return quoted ?? identifier ?? afterVerb;
}
