const maxCauses = 5;

/**
 * What a log may hold of an exception (M22): what kind it is, where it was thrown, and what caused it. Of its words only
 * the beginning: after a quotation mark, a colon or a bracket they repeat what somebody said or a file holds.
 */
export function traceOf(error: unknown): string {
  const traces: string[] = [];
  for (let cause = error; cause !== undefined && traces.length < maxCauses; cause = causeOf(cause)) {
    traces.push(cause instanceof Error ? traceOfOne(cause) : `a thrown ${typeof cause}`);
  }
  return traces.join('\ncaused by ');
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

function traceOfOne(error: Error): string {
  const [words = ''] = /^[^"'`“‘:;([{</\\\n]*/.exec(error.message) ?? [];
  const codes = ['code', 'syscall'].flatMap((name) => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' && /^\w+$/.test(value) ? [value] : [];
  });
  const kind = codes.length > 0 ? `${error.name} (${codes.join(' ')})` : error.name;
  return [words.trim() === '' ? kind : `${kind}: ${words.trim().slice(0, 200)}`, ...framesOf(error)].join(
    '\n',
  );
}

/** The stack begins with the message, whose lines may look like frames. */
function framesOf({ stack = '', message }: Error): readonly string[] {
  const start = stack.indexOf(message);
  const frames = start < 0 ? stack : stack.slice(start + message.length);
  return frames.split('\n').filter((line) => /^ +at .*(?::\d+:\d+\)?|<anonymous>\)?|native\)?)$/.test(line));
}
