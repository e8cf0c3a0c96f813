/** Draws the usage page from the values it is sent. Whatever they hold is shown as text. */
import type { LegendEntry } from '../core/ledger/usageLabels';
import type { UsageSums } from '../core/ledger/usageSums';
import type {
  AnswerRow,
  EvictionRow,
  Segment,
  UsageRow,
  UsageScope,
  UsageView,
} from '../core/ledger/usageView';

interface PageState {
  readonly scope: UsageScope['id'];
  readonly showsTable: boolean;
  readonly open: readonly string[];
}

declare function acquireVsCodeApi(): {
  getState(): PageState | undefined;
  setState(state: PageState): void;
  postMessage(message: unknown): void;
};

const host = acquireVsCodeApi();
const main = document.querySelector('main') ?? document.body;
let state: PageState = host.getState() ?? { scope: 'conversation', showsTable: false, open: [] };
let view: UsageView | undefined;

window.addEventListener('message', ({ data }: MessageEvent<UsageView>) => {
  view = data;
  render();
});
host.postMessage({ type: 'ready' });

function change(part: Partial<PageState>): void {
  state = { ...state, ...part };
  host.setState(state);
  render();
}

function render(): void {
  if (!view) return;
  const focused = document.activeElement?.id;
  const { labels, scopes, legend, title, today } = view;
  const scope = scopes.find(({ id }) => id === state.scope) ?? scopes[0];
  const isEmpty = scopes.every(({ rows }) => rows.length === 0);
  main.replaceChildren(
    element('h1', {}, title),
    ...today.map((sentence) => element('p', { class: 'today' }, sentence)),
    ...(isEmpty || !scope
      ? [empty(view)]
      : [
          element(
            'div',
            { class: 'scopes', role: 'group', 'aria-label': labels.scope },
            ...scopes.map(scopeCard),
          ),
          element(
            'div',
            { class: 'bar-line' },
            element(
              'div',
              {},
              element('ul', { class: 'legend' }, ...legend.parts.map(legendEntry)),
              element('ul', { class: 'legend input' }, ...legend.input.map(legendEntry)),
            ),
            viewSwitch(view),
          ),
          state.showsTable ? usageTable(scope, view) : usageBars(scope, view),
          ...scope.breakdowns.map(breakdown),
          element('p', { class: 'note' }, labels.note),
        ]),
  );
  if (focused) document.getElementById(focused)?.focus();
}

function empty({ labels }: UsageView): HTMLElement {
  const button = element('button', { class: 'primary', id: 'ask' }, labels.ask);
  button.addEventListener('click', () => host.postMessage({ type: 'ask' }));
  return element(
    'section',
    { class: 'empty' },
    element('h2', {}, labels.empty),
    element('p', {}, labels.emptyHint),
    button,
  );
}

/** The sums of a scope; pressing it shows its answers. */
function scopeCard({ id, label, cost, summary }: UsageScope): HTMLElement {
  const card = element(
    'button',
    { class: 'scope', id: `scope-${id}`, 'aria-pressed': String(state.scope === id) },
    element('span', { class: 'label' }, label),
    element('span', { class: 'sum' }, cost),
    element('span', { class: 'summary' }, summary),
  );
  card.addEventListener('click', () => change({ scope: id }));
  return card;
}

function legendEntry({ kind, label, hint }: LegendEntry): HTMLElement {
  return element('li', { title: hint }, element('span', { class: `swatch ${kind}` }), label);
}

function viewSwitch({ labels }: UsageView): HTMLElement {
  return element(
    'div',
    { class: 'switch', role: 'group', 'aria-label': labels.showAs },
    viewChoice('as-bars', labels.bars, { showsTable: false }),
    viewChoice('as-table', labels.table, { showsTable: true }),
  );
}

function viewChoice(id: string, label: string, { showsTable }: Pick<PageState, 'showsTable'>): HTMLElement {
  const button = element('button', { id, 'aria-pressed': String(state.showsTable === showsTable) }, label);
  button.addEventListener('click', () => change({ showsTable }));
  return button;
}

function usageBars({ rows, label }: UsageScope, { labels }: UsageView): HTMLElement {
  if (rows.length === 0) return element('p', { class: 'note' }, labels.emptyScope);
  const most = Math.max(1, ...rows.map((row) => (row.kind === 'answer' ? tokensOf(row.parts) : 0)));
  return element(
    'ol',
    { class: 'answers', 'aria-label': label },
    ...rows.map((row) =>
      element('li', {}, row.kind === 'answer' ? answer(row, most, labels.whatWasSent) : evictedTurns(row)),
    ),
  );
}

function answer(row: AnswerRow, most: number, whatWasSent: string): HTMLElement {
  const open = element('button', { id: `sent-${row.turn}` }, whatWasSent);
  open.addEventListener('click', () => host.postMessage({ type: 'open', turn: row.turn }));
  const summary = element(
    'summary',
    { id: `answer-${row.turn}` },
    element('span', { class: 'words' }, row.words),
    element('span', { class: 'cost' }, row.cost),
    bar('parts', row.parts, most),
    bar('input', row.input, most),
    element('span', { class: 'summary' }, row.summary),
    element('span', { class: 'spoken' }, row.spoken),
  );
  const details = element(
    'details',
    state.open.includes(row.turn) ? { open: '' } : {},
    summary,
    element(
      'div',
      { class: 'more' },
      element('p', { class: 'about' }, row.about),
      keyed(row.parts),
      keyed(row.input),
      open,
    ),
  );
  details.addEventListener('toggle', () => remember(row.turn, { isOpen: details.open }));
  return details;
}

function remember(turn: string, { isOpen }: { readonly isOpen: boolean }): void {
  const others = state.open.filter((other) => other !== turn);
  state = { ...state, open: isOpen ? [...others, turn].slice(-50) : others };
  host.setState(state);
}

/** As long as its tokens are, beside those of the longest bar. */
function bar(className: string, segments: readonly Segment[], most: number): HTMLElement {
  const box = element(
    'span',
    { class: `bar ${className}`, 'aria-hidden': 'true' },
    ...segments
      .filter(({ tokens }) => tokens > 0)
      .map(({ kind, tokens, label }) => {
        const segment = element('span', { class: `segment ${kind}`, title: label });
        segment.style.flexGrow = String(tokens);
        return segment;
      }),
  );
  box.style.width = `${(tokensOf(segments) / most) * 100}%`;
  return box;
}

function tokensOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { tokens }) => sum + tokens, 0);
}

function keyed(segments: readonly Segment[]): HTMLElement {
  return element(
    'ul',
    { class: 'key' },
    ...segments.map(({ kind, label }) =>
      element('li', {}, element('span', { class: `swatch ${kind}` }), label),
    ),
  );
}

function evictedTurns({ text, turns }: EvictionRow): HTMLElement {
  return element(
    'details',
    { class: 'evicted' },
    element('summary', {}, text),
    element('ul', {}, ...turns.map((words) => element('li', {}, words))),
  );
}

function usageTable({ rows, sums, label }: UsageScope, { labels }: UsageView): HTMLElement {
  const columns = labels.columns.map((name) => element('th', { scope: 'col' }, name));
  const table = element(
    'table',
    {},
    element('caption', {}, label),
    element('thead', {}, element('tr', {}, ...columns)),
    element('tbody', {}, ...rows.map((row) => tableRow(row, columns.length))),
    element('tfoot', {}, element('tr', {}, ...sums.map(cell))),
  );
  return element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, table);
}

/** By day, or by model. */
function breakdown({ id, title, columns, rows }: UsageSums): HTMLElement {
  const table = element(
    'table',
    {},
    element('caption', {}, title),
    element('thead', {}, element('tr', {}, ...columns.map((name) => element('th', { scope: 'col' }, name)))),
    element(
      'tbody',
      {},
      ...rows.map((cells) =>
        element(
          'tr',
          {},
          ...cells.map((text, index) =>
            index === 0 ? element('th', { scope: 'row' }, text) : element('td', { class: 'figure' }, text),
          ),
        ),
      ),
    ),
  );
  return element(
    'div',
    { class: 'scroll breakdown', id: `by-${id}`, tabindex: '0', role: 'region', 'aria-label': title },
    table,
  );
}

function tableRow(row: UsageRow, columns: number): HTMLElement {
  if (row.kind === 'answer') return element('tr', {}, ...row.cells.map(cell));
  const title = row.turns.join('\n');
  return element(
    'tr',
    { class: 'evicted-row' },
    element('td', { colspan: String(columns), title }, row.text),
  );
}

function cell(text: string, index: number): HTMLElement {
  if (index === 0) return element('th', { scope: 'row' }, text);
  return element('td', index > 1 ? { class: 'figure' } : {}, text);
}

/** An element with these attributes. Strings become text, never markup. */
function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (string | HTMLElement)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
