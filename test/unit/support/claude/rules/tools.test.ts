import { readFileTool } from '../client';
import { describeRules } from './describeRules';

const offer = (tool: object) => ({ tools: [{ ...readFileTool, ...tool }] });

const schema = (input: object) => offer({ input_schema: { type: 'object', ...input } });

const notValid =
  'tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). ' +
  'Learn more about tool use at https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview.';

describeRules('tools', ({ accepts, refuses }) => {
  accepts('a name of 128 characters', offer({ name: 'x'.repeat(128) }));
  refuses(
    'a name of 129 characters',
    offer({ name: 'x'.repeat(129) }),
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
  );
  refuses(
    'a name with a dot',
    offer({ name: 'a.b' }),
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
  );
  refuses(
    'the same name twice',
    { tools: [readFileTool, readFileTool] },
    'tools: Tool names must be unique.',
  );
  refuses(
    'a schema without type',
    offer({ input_schema: {} }),
    'tools.0.custom.input_schema.type: Field required',
  );
  refuses(
    'a schema that is no object',
    offer({ input_schema: { type: 'string' } }),
    "tools.0.custom.input_schema.type: Input should be 'object'",
  );
  for (const keyword of ['oneOf', 'anyOf', 'allOf']) {
    refuses(
      `${keyword} at the top of a schema`,
      schema({ [keyword]: [{ required: ['a'] }] }),
      'tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level',
    );
  }
  accepts(
    'anyOf further down',
    schema({ properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } }),
  );
  refuses(
    'a property key with a space',
    schema({ properties: { 'a b': {} } }),
    "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
  );
  refuses('a type that is none', schema({ properties: { a: { type: 'text' } } }), notValid);
  refuses(
    'a list of item schemas, as in older drafts',
    schema({ properties: { a: { items: [{}] } } }),
    notValid,
  );
  refuses(
    'required as a flag, as in older drafts',
    schema({ properties: { a: { required: true } } }),
    notValid,
  );
  refuses(
    'what older drafts wrote, where the newest one still looks',
    schema({ dependencies: { a: { properties: { b: { items: [{}] } } } } }),
    notValid,
  );
  accepts('dependencies as older drafts wrote them', schema({ dependencies: { a: ['b'], c: {} } }));
  refuses('$recursiveAnchor as a flag', schema({ $recursiveAnchor: true }), notValid);
  refuses('a media type that is no text', schema({ properties: { a: { contentMediaType: 1 } } }), notValid);
  refuses(
    'a schema of contents that is none',
    schema({ properties: { a: { contentSchema: 'x' } } }),
    notValid,
  );
  refuses('exclusiveMinimum as a flag', schema({ properties: { a: { exclusiveMinimum: true } } }), notValid);
  refuses('a pattern that is no expression', schema({ properties: { a: { pattern: '(' } } }), notValid);
  refuses('an enum that is no list', schema({ properties: { a: { enum: 'b' } } }), notValid);
  accepts('keywords nobody knows', schema({ properties: { a: { type: 'string', 'x-order': 1 } } }));
  refuses(
    'a strict schema that is open',
    { tools: [{ ...readFileTool, strict: true }] },
    "tools.0.custom: For 'object' type, 'additionalProperties' must be explicitly set to false when strict is true",
  );
  refuses(
    'metadata on a tool',
    offer({ icon: 'book' }),
    'tools.0.custom.icon: Extra inputs are not permitted',
  );
  refuses(
    'a choice without tools',
    { tool_choice: { type: 'auto' } },
    '`tool_choice` may only be specified while providing `tools`.',
  );
  refuses(
    'a forced choice on a model that decides for itself',
    { tools: [readFileTool], tool_choice: { type: 'any' } },
    'tool_choice: type "tool" and "any" are not supported for this model.',
  );
  accepts('a forced choice on a model that allows it', {
    model: 'claude-opus-5',
    tools: [readFileTool],
    tool_choice: { type: 'tool', name: 'read_file' },
  });
  refuses(
    'the choice of a tool that is not there',
    { model: 'claude-opus-5', tools: [readFileTool], tool_choice: { type: 'tool', name: 'nothing' } },
    "Tool 'nothing' not found in provided tools",
  );
  refuses(
    'a forced choice with manual thinking',
    {
      model: 'claude-opus-4-6',
      max_tokens: 4000,
      tools: [readFileTool],
      tool_choice: { type: 'any' },
      thinking: { type: 'enabled', budget_tokens: 2000 },
    },
    'Thinking may not be enabled when tool_choice forces tool use.',
  );
});
