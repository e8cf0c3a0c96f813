/** Draws the usage page from the values it is sent. Whatever they hold is shown as text. */
import type { LegendEntry } from '../core/ledger/usageLabels';
import type { AnswerRow, DepartureRow, UsageRow, UsageScope, UsageView } from '../core/ledger/usageView';
import { element } from './element';

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
  const { labels, scopes, legend, title } = view;
  const scope = scopes.find(({ id }) => id === state.scope) ?? scopes[0];
  const isEmpty = scopes.every(({ rows }) => rows.length === 0);
  main.replaceChildren(
    element('h1', {}, title),
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
function scopeCard({ id, label, figures }: UsageScope): HTMLElement {
  const card = element(
    'button',
    { class: 'scope', id: `scope-${id}`, 'aria-pressed': String(state.scope === id) },
    element('span', { class: 'scope-label' }, label),
    element(
      'span',
      { class: 'figures' },
      ...figures.map(({ label: name, value, detail }) =>
        element(
          'span',
          { class: 'figure' },
          element('span', { class: 'value' }, value),
          element('span', { class: 'name' }, detail === undefined ? name : `${name}, ${detail}`),
        ),
      ),
    ),
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
  const most = Math.max(1, ...rows.map((row) => (row.kind === 'answer' ? row.tokens : 0)));
  return element(
    'ol',
    { class: 'answers', 'aria-label': label },
    ...rows.map((row) =>
      element('li', {}, row.kind === 'answer' ? answer(row, most, labels.whatWasSent) : departure(row)),
    ),
  );
}

function answer(row: AnswerRow, most: number, whatWasSent: string): HTMLElement {
  const open = element('button', { id: `sent-${row.turn}` }, whatWasSent);
  open.addEventListener('click', () => host.postMessage({ type: 'open', turn: row.turn }));
  const summary = element(
    'summary',
    { id: `answer-${row.turn}`, 'aria-label': row.name },
    element('span', { class: 'words' }, row.words),
    element('span', { class: 'cost' }, row.cost),
    bar(
      'parts',
      row.parts.map(({ part, ...rest }) => ({ kind: part, ...rest })),
      row.tokens / most,
    ),
    bar(
      'input',
      row.input.map(({ how, ...rest }) => ({ kind: how, ...rest })),
      row.input.reduce((sum, { tokens }) => sum + tokens, 0) / most,
    ),
    element('span', { class: 'summary' }, [row.end, row.summary].filter(Boolean).join(' · ')),
  );
  const details = element(
    'details',
    state.open.includes(row.turn) ? { open: '' } : {},
    summary,
    element(
      'div',
      { class: 'more' },
      element('p', { class: 'when' }, row.when),
      keyed(row.parts.map(({ part, label }) => ({ kind: part, label }))),
      keyed(row.input.map(({ how, label }) => ({ kind: how, label }))),
      open,
    ),
  );
  details.addEventListener('toggle', () => remember(row.turn, details.hasAttribute('open')));
  return details;
}

function remember(turn: string, isOpen: boolean): void {
  const others = state.open.filter((other) => other !== turn);
  state = { ...state, open: isOpen ? [...others, turn].slice(-50) : others };
  host.setState(state);
}

interface Segment {
  readonly kind: string;
  readonly tokens: number;
  readonly label: string;
}

/** `share` is its length, of the longest bar there is. */
function bar(className: string, segments: readonly Segment[], share: number): HTMLElement {
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
  box.style.width = `${share * 100}%`;
  return box;
}

function keyed(entries: readonly { readonly kind: string; readonly label: string }[]): HTMLElement {
  return element(
    'ul',
    { class: 'key' },
    ...entries.map(({ kind, label }) =>
      element('li', {}, element('span', { class: `swatch ${kind}` }), label),
    ),
  );
}

function departure({ text, turns }: DepartureRow): HTMLElement {
  return element('p', { class: 'left', title: turns.join('\n') }, text);
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

function tableRow(row: UsageRow, columns: number): HTMLElement {
  if (row.kind === 'answer') return element('tr', {}, ...row.cells.map(cell));
  const title = row.turns.join('\n');
  return element('tr', { class: 'left' }, element('td', { colspan: String(columns), title }, row.text));
}

function cell(text: string, index: number): HTMLElement {
  if (index === 0) return element('th', { scope: 'row' }, text);
  return element('td', index > 1 ? { class: 'figure' } : {}, text);
}
