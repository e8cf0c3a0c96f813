/** Where a case is seen: `unit` is core and the real SDK over HTTP, `host` the real extension host, `panel` the packed extension in the real chat panel. */
export type Level = 'unit' | 'host' | 'panel';

/** One fault or attack. The tests whose sentences begin with its id show it. */
export interface FaultCase {
  readonly id: string;
  readonly inject: string;
  readonly expected: string;
  /** Each of these levels must have a test of it that passes. */
  readonly levels: readonly Level[];
}

/** All that must be survived, once each. A case without a passing test at each of its levels is a miss. */
export const faultCases: readonly FaultCase[] = [
  // The stream and the API.
  on(
    'F1',
    ['unit', 'panel'],
    'Stop while text streams',
    'request ended at once, shown text kept as interrupted',
  ),
  on(
    'F2',
    ['unit', 'panel'],
    'Stop while a tool runs or asks',
    'tool aborted, its call answered as cancelled',
  ),
  on(
    'F3',
    ['unit', 'panel'],
    'Stop after two of three parallel calls',
    'three results in order, none run again',
  ),
  on('F4', ['unit', 'panel'], 'stream closed without message_stop', 'taken as incomplete, asked again'),
  on('F5', ['unit', 'panel'], 'reset in the middle of a tool use', 'nothing run, asked again'),
  on('F6', ['unit', 'panel'], 'silence after the headers', 'ended by the watchdog, said in a sentence'),
  on('F7', ['unit', 'panel'], 'max_tokens inside a tool input', 'not run, the model is told, bounded'),
  on(
    'F8',
    ['unit', 'panel'],
    '429 and 529, then an answer',
    'waits as asked, shown, one answer, no tool twice',
  ),
  on(
    'F9',
    ['unit', 'panel'],
    'no key, rejected, forbidden, no credit',
    'a sentence and a button, memory unchanged',
  ),
  on('F10', ['unit', 'panel'], 'prompt too long, window exceeded', 'oldest whole turns leave, bounded, said'),
  on(
    'F11',
    ['unit', 'panel'],
    'error event, garbage, unknown kinds, a web page',
    'a sentence, history valid, unknown tolerated',
  ),
  on('F12', ['unit', 'panel'], 'empty, blank, refused, unknown stop', 'nothing empty stored, said plainly'),
  on('F13', ['panel'], 'an answer of 300,000 characters', 'shown whole, opened as a document'),
  on('F14', ['unit', 'panel'], 'result of 50 MB, binary, NUL, half characters', 'clipped and well-formed'),
  on(
    'F15',
    ['unit', 'host', 'panel'],
    'images too large, broken, mislabelled',
    'refused or scaled down, later turns accepted',
  ),
  on(
    'F16',
    ['unit', 'host', 'panel'],
    'foreign tools with bad names and schemas',
    'made acceptable or left out',
  ),
  // State.
  on(
    'F20',
    ['unit', 'panel'],
    'stored orphans of tool uses and results',
    'repaired before sending, twice is once',
  ),
  on(
    'F21',
    ['unit', 'panel'],
    'state cut off, mistyped, of a newer version',
    'kept aside or untouched, fresh start, said once',
  ),
  on('F22', ['unit', 'panel'], 'one bad turn among many', 'the others load, the bad one is kept aside'),
  on(
    'F23',
    ['unit', 'panel'],
    'host killed after a tool wrote a file',
    'message and finished rounds are found again',
  ),
  on('F24', ['unit', 'panel'], 'kill or reload right after an answer', 'the turn is there'),
  on('F25', ['unit', 'panel'], 'two windows on one folder', 'both keep their turns'),
  on(
    'F26',
    ['unit', 'panel'],
    'three times the cap in turns',
    'never more than the cap, oldest first, whole turns',
  ),
  on(
    'F27',
    ['unit', 'panel'],
    'update() rejects, folder cannot be written',
    'answers and remembers, warns once',
  ),
  on('F28', ['unit', 'panel'], 'clock back an hour, forward a day', 'no negative age, expiry as promised'),
  on('F29', ['unit', 'panel'], 'nonsense in every setting', 'default, and one warning that names it'),
  on('F30', ['panel'], 'extension updated, trust granted in mid-conversation', 'goes on'),
  on('F31', ['unit'], 'another process holds the database', 'waits, goes on, told once, written later'),
  on('F32', ['unit', 'panel'], 'the database damaged or deleted', 'moved aside, filled again from the state'),
  on(
    'F33',
    ['unit', 'panel'],
    'disk full in a Retry, a Clear, an Undo',
    'answers, one warning, nothing half done',
  ),
  on('F34', ['unit'], 'a database of a newer version', 'left alone, and said'),
  on(
    'F35',
    ['unit', 'panel'],
    'kill -9 between commit, mirror and import',
    'the greater number counts, nothing twice or lost',
  ),
  on('F36', ['unit'], 'the number of a dead process is used again', 'its turn is found as interrupted'),
  on('F37', ['unit'], 'a changed file is edited, formatted, renamed', 'never overwritten, and said'),
  on(
    'F38',
    ['unit', 'host'],
    'a language service that is slow or floods',
    '1.5 s and twenty problems at most',
  ),
  on(
    'F39',
    ['unit', 'panel'],
    'scouts, the web or a summary fail or are stopped',
    'a sentence, the turn goes on, counted',
  ),
  // Settings, keys, trust.
  on('A1', ['unit', 'panel'], 'the workspace sets our address or headers', 'ignored, nothing arrives there'),
  on('A2', ['unit', 'host', 'panel'], 'the workspace loosens what tools may do', 'ignored, or asked by us'),
  on('A3', ['unit', 'panel'], '.env of the workspace names address and key', 'not read'),
  on(
    'A4',
    ['unit', 'panel'],
    'a folder that is not trusted',
    'only reading tools, its instructions are not read',
  ),
  on('A5', ['unit', 'panel'], 'the key in state, logs, errors', 'found nowhere'),
  // Paths and protected places.
  on('A10', ['unit', 'host'], 'paths that leave the workspace in any form', 'refused, nothing read'),
  on('A11', ['unit', 'host'], 'a folder beside it whose name begins alike', 'refused'),
  on('A12', ['unit', 'host'], 'a link to a file outside', 'the same refusal to read, search, list and edit'),
  on('A13', ['unit', 'host'], 'a link to a folder, a dangling link', 'refused, the target is not created'),
  on('A14', ['unit', 'host'], 'a link put in place after the approval', 'checked again at the write'),
  on('A15', ['unit', 'host', 'panel'], 'a file that changes the editor', 'asked each time, with the reason'),
  on('A16', ['unit', 'host'], 'hooks, workflows, scripts, agent files', 'asked each time'),
  on('A17', ['unit', 'host'], 'the same under other spellings', 'asked each time'),
  on(
    'A18',
    ['unit', 'host', 'panel'],
    'files that look like secrets',
    'asked before reading, skipped by search',
  ),
  // Commands, search, rendering.
  on('A20', ['host'], 'a search pattern that is an option', 'taken as a pattern'),
  on('A21', ['unit', 'host'], 'pipes, devices, huge files, hard expressions', 'refused or bounded, alive'),
  on('A22', ['panel'], 'a command with substitutions and redirections', 'the exact text is confirmed first'),
  on(
    'A23',
    ['unit', 'panel'],
    'a confirmation spoofed by Markdown or bidi',
    'shown as literal text, signs visible',
  ),
  on('A24', ['unit', 'panel'], 'images and command links in an answer', 'no request, no command'),
  on('A25', ['panel'], 'JSON with a remote schema', 'an ordinary confirmed change, address visible'),
  on('A26', ['panel'], 'a foreign tool returns instructions', 'data; what follows is still confirmed'),
  on('A34', ['unit', 'host', 'panel'], 'a credential of our headers is repeated', 'redacted in any form'),
  on('A27', ['host'], 'something tries to reach us', 'we listen on no port'),
  on(
    'A29',
    ['unit', 'host'],
    'a glob, a search or a rename that leads to a link',
    'the path policy decides, whatever the input is called',
  ),
  on('A28', ['unit', 'panel'], 'an untrusted workspace sets settings of ours', 'none of them counts'),
  on(
    'A30',
    ['unit', 'panel'],
    'a foreign tool is named like one of ours',
    'what is said of ours is not said of it',
  ),
  on('A31', ['unit', 'panel'], 'a file wants something noted', 'a card that says where it comes from'),
  on(
    'A33',
    ['unit', 'panel'],
    'a question for the web with a secret in it',
    'the card shows all, secrets stay',
  ),
  on('A35', ['panel'], 'the address of npm start without its token', 'refused'),
  on('A32', ['unit', 'panel'], 'words of others in notifications and lists', 'no link, no command, no icon'),
  // Not in the list that we were given.
  on(
    'X1',
    ['unit', 'panel'],
    'events without their form or their block',
    'damage is said, gaps are tolerated',
  ),
  on(
    'X2',
    ['unit', 'panel'],
    'calls that share an id, or have a bad one',
    'ids of their own, one result each',
  ),
  on('X3', ['unit'], 'several documents that Claude cannot read', 'left out, the turn goes on'),
  on(
    'X4',
    ['unit', 'panel'],
    'a stored round with a block that is none',
    'the rest loads, that is kept aside',
  ),
  on('X5', ['unit'], 'half a character in the name of an attachment', 'made well-formed'),
  on('X6', ['unit'], 'a stored turn beyond the end of time', 'kept aside, what is said now stays the last'),
  on('X7', ['unit', 'panel'], 'a redirect to another address', 'not followed, nothing arrives there'),
  on(
    'X8',
    ['unit', 'panel'],
    'line breaks and bidi in the name of a file',
    'one line in the card, signs visible',
  ),
  on('X9', ['unit', 'panel'], 'hundreds of calls in one answer', 'sixteen at a time, each with its result'),
];

function on(id: string, levels: readonly Level[], inject: string, expected: string): FaultCase {
  return { id, inject, expected, levels };
}
