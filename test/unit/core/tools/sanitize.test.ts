import assert from 'node:assert/strict';
import { sanitizeTool, type SanitizedTool } from '../../../../src/core/tools/sanitize';
import type { InputSchema } from '../../../../src/core/tools/tool';
import { validateRequest } from '../../../support/claude/validateRequest';

function sanitized(inputSchema: unknown, name = 'tool', taken: readonly string[] = []): SanitizedTool {
  return sanitizeTool({ name, description: 'Does it.', inputSchema }, new Set(taken));
}

function schemaOf(inputSchema: unknown): InputSchema {
  const tool = sanitized(inputSchema);
  assert.ok(tool.type === 'accepted', JSON.stringify(tool));
  return tool.inputSchema;
}

function nameOf(name: string, ...taken: readonly string[]): string | undefined {
  const tool = sanitized({}, name, taken);
  return tool.type === 'accepted' ? tool.name : undefined;
}

function problemOf(tool: Extract<SanitizedTool, { type: 'accepted' }>): unknown {
  const { name, description, inputSchema } = tool;
  return validateRequest(
    {
      model: 'claude-sonnet-5-5',
      max_tokens: 10,
      messages: [{ role: 'user', content: 'hi' }],
      tools: [{ name, description, input_schema: inputSchema }],
    },
    'messages',
  );
}

describe('sanitizeTool', () => {
  it('F16: makes a name that the API takes, and no two the same', () => {
    assert.equal(nameOf('my tool/über.run'), 'my_tool_ber_run');
    assert.equal(nameOf('x'.repeat(200)), 'x'.repeat(64));
    assert.equal(nameOf('run', 'run', 'run_2'), 'run_3');
    assert.equal(nameOf('x'.repeat(200), 'x'.repeat(64)), `${'x'.repeat(62)}_2`);
    assert.equal(nameOf('⚙'), undefined);
  });

  it('gives a tool without a schema an empty one, and one without a description a plain one', () => {
    assert.deepEqual(schemaOf(undefined), { type: 'object', properties: {} });
    const tool = sanitizeTool({ name: 'a', description: ' ', inputSchema: {} }, new Set());
    assert.ok(tool.type === 'accepted' && tool.description === 'The tool a.');
  });

  it('L12: takes a tool without a description, and half characters anywhere, as others hand them over', () => {
    for (const description of [undefined, null, 7, '', 'half \ud83d', `${'x'.repeat(9_999)}😀`]) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whatever comes at run time
      const odd = { name: 'a', description } as unknown as Parameters<typeof sanitizeTool>[0];
      const schema = { properties: { p: { type: 'string', description: 'half \ud83d', enum: ['\ud83d'] } } };
      const tool = sanitizeTool({ ...odd, inputSchema: schema }, new Set());
      assert.ok(tool.type === 'accepted' && tool.description !== '', String(description));
      assert.doesNotMatch(JSON.stringify(tool), /\\ud83d/);
      assert.deepEqual(problemOf(tool), undefined);
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whatever comes at run time
    const nameless = { description: 'x' } as unknown as Parameters<typeof sanitizeTool>[0];
    assert.equal(sanitizeTool(nameless, new Set()).type, 'left-out');
  });

  it('F16: offers all branches of a choice at the top together', () => {
    const schema = {
      type: 'object',
      properties: { mode: { type: 'string' } },
      required: ['mode'],
      anyOf: [
        { properties: { path: { type: 'string' } }, required: ['path'] },
        { properties: { url: { type: 'string' } }, required: ['url'] },
      ],
      allOf: [{ properties: { id: { type: 'integer' } }, required: ['id'] }],
    };
    assert.deepEqual(schemaOf(schema), {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        path: { type: 'string' },
        url: { type: 'string' },
        mode: { type: 'string' },
      },
      required: ['mode', 'id'],
    });
  });

  it('F16: takes out what is no JSON Schema of today and keeps the rest', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      id: 'x',
      type: 'object',
      properties: {
        count: { type: 'integer', minimum: 0, exclusiveMinimum: true },
        file: { type: 'file', description: 'A file' },
        pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
        text: { type: 'string', pattern: '(unclosed', required: true },
        other: { $ref: 'https://example.org/other.json' },
        choice: { oneOf: [{ type: 'string' }, { type: 'null' }] },
        bad: 'string',
      },
    };
    assert.deepEqual(schemaOf(schema), {
      type: 'object',
      properties: {
        count: { type: 'integer', minimum: 0 },
        file: { description: 'A file' },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
        text: { type: 'string' },
        other: {},
        choice: { oneOf: [{ type: 'string' }, { type: 'null' }] },
      },
    });
  });

  it('F16: keeps what a keyword may say, and takes out what it may not', () => {
    const said: Readonly<
      Record<string, { readonly kept: readonly unknown[]; readonly out: readonly unknown[] }>
    > = {
      type: { kept: ['null', ['string', 'null']], out: ['file', [], ['string', 'string'], 7] },
      required: { kept: [['a'], []], out: [true, ['a', 'a'], [1]] },
      dependentRequired: { kept: [{ a: ['b'] }], out: [{ a: 'b' }, []] },
      enum: { kept: [[1, null]], out: [[], 'a'] },
      pattern: { kept: ['^a+$'], out: ['(', 7] },
      $ref: { kept: ['#/$defs/a'], out: ['other.json', 7] },
      multipleOf: { kept: [0.5, 1], out: [0, -1, '2'] },
      examples: { kept: [[], [1]], out: ['a'] },
      title: { kept: ['a', ''], out: [7, null] },
      maxItems: { kept: [0, 3], out: [-1, 1.5, '3'] },
      minimum: { kept: [0, -1.5], out: ['0', true] },
      uniqueItems: { kept: [true, false], out: ['true', 1] },
      additionalProperties: { kept: [true, false, { type: 'string' }], out: ['no', 1] },
      anyOf: { kept: [[{ type: 'string' }, true]], out: [[], [{}, 'x'], {}] },
      properties: { kept: [{ 'a.b-c_1': {} }], out: ['x', []] },
      contentMediaType: { kept: ['image/png'], out: [7, null] },
      contentEncoding: { kept: ['base64'], out: [true] },
      contentSchema: { kept: [{ type: 'string' }, true], out: ['x', []] },
      // Of older drafts, but still looked at.
      dependencies: { kept: [], out: [{ a: ['b'] }, { a: { items: [{}] } }, 'x'] },
      $recursiveAnchor: { kept: [], out: [true, false] },
      $recursiveRef: { kept: [], out: ['#', {}] },
      $dynamicRef: { kept: [], out: ['#node', {}] },
      'x-own': { kept: ['anything', 1], out: [] },
    };
    for (const [keyword, { kept, out }] of Object.entries(said)) {
      const cleaned = (value: unknown): unknown =>
        schemaOf({ properties: { p: { description: 'd', [keyword]: value } } }).properties?.['p'];
      for (const value of kept) assert.deepEqual(cleaned(value), { description: 'd', [keyword]: value });
      for (const value of out)
        assert.deepEqual(cleaned(value), { description: 'd' }, `${keyword}: ${String(value)}`);
    }
  });

  it('F16: keeps 20 levels of a schema, more than anybody fills in', () => {
    const nested = (levels: number): unknown =>
      levels === 0 ? { type: 'string' } : { type: 'array', items: nested(levels - 1) };
    const deep = (levels: number): unknown => ({ type: 'object', properties: { p: nested(levels) } });
    assert.deepEqual(schemaOf(deep(19)), deep(19));
    assert.doesNotMatch(JSON.stringify(schemaOf(deep(20))), /"string"/);
  });

  it('F16: leaves out a tool that cannot be offered, with the reason', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    const reasons = [
      sanitized({ type: 'array' }),
      sanitized('schema'),
      sanitized(cycle),
      sanitized({ type: 'object', properties: { 'a b': {} }, required: ['a b'] }),
    ].map((tool) => tool.type === 'left-out' && tool.reason);
    assert.deepEqual(reasons, [
      'its input is not an object',
      'its input schema is not a JSON object',
      'its input schema is not a JSON object',
      'it requires "a b", which the API cannot name',
    ]);
  });

  it('F16: ends in something the API accepts, whatever comes in', () => {
    const oddities: unknown[] = [
      { anyOf: [{ type: 'object' }, { type: 'string' }] },
      { properties: { '': {}, ok: { enum: [] }, nested: { properties: { 'no way': { type: [] } } } } },
      { properties: null, required: 'all', allOf: 'x', definitions: [] },
      { properties: { deep: { items: { anyOf: [] } } }, patternProperties: { '(': {} } },
      { required: ['a', 'a', 1], minProperties: -1, title: 7 },
      { dependencies: { a: { properties: { b: { items: [{}] } } } }, $recursiveAnchor: true },
      { properties: { a: { contentSchema: 'x', contentMediaType: null, $dynamicRef: {} } } },
    ];
    for (const oddity of oddities) {
      const tool = sanitized(oddity, 'x'.repeat(200));
      assert.ok(tool.type === 'accepted');
      const { name, description, inputSchema } = tool;
      const request = {
        model: 'claude-sonnet-5-5',
        max_tokens: 10,
        messages: [{ role: 'user', content: 'hello' }],
        tools: [{ name, description, input_schema: inputSchema }],
      };
      assert.equal(validateRequest(request, 'messages'), undefined, JSON.stringify(oddity));
    }
  });
});
