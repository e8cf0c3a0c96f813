import assert from 'node:assert/strict';
import { createInMemoryWorkspace, type InMemoryOptions } from '../../../support/inMemoryWorkspace';
import { createToolHarness } from '../../../support/toolHarness';

const code = (source: unknown) => ({
  cell_type: 'code',
  metadata: {},
  execution_count: null,
  outputs: [],
  source,
});
const notebook = (...cells: readonly unknown[]) => ({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
const shown = JSON.stringify(notebook(code(['x = 1\n', 'print(x)'])), undefined, 1);

function setUp(options: InMemoryOptions) {
  const workspace = createInMemoryWorkspace(options);
  const { text, refusal } = createToolHarness(workspace);
  const input = (path: string, old_text: string, new_text: string) => ({
    path,
    edits: [{ old_text, new_text }],
  });
  return {
    workspace,
    edit: (...call: Parameters<typeof input>) => text('edit_file', input(...call)),
    refusedEdit: (...call: Parameters<typeof input>) => refusal('edit_file', input(...call)),
    create: (path: string, content: string) => text('create_file', { path, content }),
    refusedCreate: (path: string, content: string) => refusal('create_file', { path, content }),
  };
}

describe('notebooks', () => {
  it('an edit that leaves a notebook is made', async () => {
    const { edit, workspace } = setUp({ files: { 'a.ipynb': shown } });
    await edit('a.ipynb', 'x = 1', 'x = 2');
    assert.equal(workspace.text('a.ipynb'), shown.replace('x = 1', 'x = 2'));
  });

  for (const [fault, old_text, new_text] of [
    ['it is not JSON', 'x = 1', 'x = "1"'],
    ['it is not JSON', '"x = 1\\n",', '"x = 1'],
    ['nbformat is missing', '"nbformat": 4', '"format": 4'],
    ['nbformat_minor is missing', '"nbformat_minor": 5', '"minor": 5'],
    ['worksheets are missing', '"nbformat": 4', '"nbformat": 3'],
    ['cells are missing', '"cells"', '"cell"'],
    ['cell 1 has no cell_type', '"code"', '"python"'],
    ['cell 1 has no metadata', '   "metadata"', '   "meta"'],
    ['cell 1 has no source', '"print(x)"', '7'],
    ['cell 1 has no outputs', '"outputs"', '"output"'],
    ['cell 1 has no execution_count', '"execution_count": null', '"count": null'],
  ] as const) {
    it(`an edit is refused with what to do when after it ${fault} (${new_text})`, async () => {
      const { refusedEdit, workspace } = setUp({ files: { 'a.ipynb': shown } });
      const sentence = await refusedEdit('a.ipynb', old_text, new_text);
      assert.ok(sentence.startsWith(`a.ipynb would be no notebook that opens: ${fault}. Write valid JSON`));
      assert.equal(workspace.text('a.ipynb'), shown);
    });
  }

  it('capitals in the name, and links by either name, change nothing', async () => {
    const files = {
      'A.IPYNB': shown,
      'link.txt': { link: 'A.IPYNB' },
      'data.json': shown,
      'b.ipynb': { link: 'data.json' },
    };
    for (const path of ['A.IPYNB', 'link.txt', 'b.ipynb']) {
      const { refusedEdit } = setUp({ files });
      assert.match(await refusedEdit(path, 'x = 1', '"'), /be no notebook that opens/);
    }
    await setUp({ files }).edit('data.json', 'x = 1', '"');
  });

  it('a notebook that was broken already can be repaired step by step, and one of an older format edited', async () => {
    const broken = setUp({ files: { 'a.ipynb': '{"cells": [,, ]}' } });
    await broken.edit('a.ipynb', ',, ', ', ');
    await broken.edit('a.ipynb', ', ', '');
    const older = '{"nbformat": 3, "worksheets": [{"a": 1}]}';
    await setUp({ files: { 'a.ipynb': older } }).edit('a.ipynb', '1', '2');
    const bare = setUp({ files: { 'a.ipynb': '{"nbformat": 4, "cells": []}' } });
    await bare.edit('a.ipynb', '[]', '[ ]');
    assert.match(await bare.refusedEdit('a.ipynb', '[ ]', '['), /not JSON/);
  });

  it('a new one is created only as a notebook', async () => {
    const { create, refusedCreate, workspace } = setUp({});
    for (const content of ['', 'print(1)', '[]', '{}', '{"nbformat": 4', JSON.stringify(notebook({}))]) {
      assert.match(await refusedCreate('New.IpyNb', content), /^New\.IpyNb would be no notebook that opens/);
    }
    assert.equal(workspace.files.size, 0);
    await create('New.IpyNb', JSON.stringify(notebook()));
    await create(
      'b.ipynb',
      JSON.stringify(notebook(code('x'), { cell_type: 'raw', metadata: {}, source: [] })),
    );
  });

  it('one of another format is neither edited nor created, and Claude is told what to do instead', async () => {
    const { refusedEdit, refusedCreate } = setUp({
      files: { 'a.dib': '#!csharp\nx', 'link.txt': { link: 'a.dib' } },
      notebooks: { '.dib': 'Polyglot Notebook' },
    });
    for (const path of ['a.dib', 'link.txt']) {
      assert.equal(
        await refusedEdit(path, 'x', 'y'),
        'a.dib is a notebook (Polyglot Notebook), which text edits could break: tell the person what to change in which cell.',
      );
    }
    assert.match(await refusedCreate('B.DIB', 'x'), /^B\.DIB is a notebook/);
  });
});
