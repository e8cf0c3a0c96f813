import { validateRequest } from '../claude/validateRequest';

/** Why the strict stand-in refuses this history before the person's next message; nothing when it accepts it. */
export function refusal(history: readonly unknown[]): string | undefined {
  return validateRequest({
    model: 'claude-sonnet-5-5',
    max_tokens: 1024,
    tools: [{ name: 'read_file', input_schema: { type: 'object' } }],
    messages: [...history, { role: 'user', content: 'and now?' }],
  })?.message;
}
