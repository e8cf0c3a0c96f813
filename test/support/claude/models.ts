type ThinkingType = 'adaptive' | 'between_tools' | 'disabled' | 'enabled';
export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** What the stand-in knows of a model. Written apart from `src` on purpose: a shared table could not catch a mistake in it. */
export interface ModelFacts {
  readonly id: string;
  readonly alias?: string;
  readonly displayName: string;
  readonly line: 'haiku' | 'sonnet' | 'opus' | 'fable';
  readonly createdAt: string;
  readonly lifecycle: 'active' | 'deprecated' | 'retired';
  readonly deprecatedAt?: string;
  readonly retiresAt?: string;
  readonly window: number;
  readonly maxOutput: number;
  readonly minCacheable: number;
  readonly thinking: readonly ThinkingType[];
  /** Thinks when the request says nothing about it. */
  readonly thinksByDefault: boolean;
  /** Thinking text comes back empty unless the request asks for a summary. */
  readonly omitsThinkingByDefault: boolean;
  readonly efforts: readonly Effort[];
  /** `disabled` and `between_tools` are refused above this effort. */
  readonly maxEffortWithoutThinking?: Effort;
  readonly forcedToolChoice: boolean;
  readonly prefill: boolean;
  readonly systemMessages: boolean;
  /** Each thinking block is bound to everything before it ("preserved thinking"). */
  readonly bindsThinking: boolean;
  /** Relative to the tokenizer of the models up to 4.6. */
  readonly tokensPerChar: number;
  readonly maxImages: number;
}

const everyEffort: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];

const current = {
  lifecycle: 'active',
  window: 1_000_000,
  maxOutput: 128_000,
  minCacheable: 1024,
  thinking: ['adaptive'],
  thinksByDefault: true,
  omitsThinkingByDefault: true,
  efforts: everyEffort,
  forcedToolChoice: false,
  prefill: false,
  systemMessages: true,
  bindsThinking: true,
  tokensPerChar: 0.325,
  maxImages: 600,
} as const;

const generation5 = { ...current, forcedToolChoice: true, bindsThinking: false } as const;

const opus4 = {
  ...generation5,
  line: 'opus',
  thinking: ['adaptive', 'disabled'],
  thinksByDefault: false,
} as const;

const generation46 = {
  ...opus4,
  thinking: ['adaptive', 'enabled', 'disabled'],
  omitsThinkingByDefault: false,
  efforts: ['low', 'medium', 'high', 'max'],
  systemMessages: false,
  tokensPerChar: 0.25,
} as const;

const generation45 = {
  ...generation46,
  thinking: ['enabled', 'disabled'],
  window: 200_000,
  maxOutput: 64_000,
  minCacheable: 4096,
  prefill: true,
  maxImages: 100,
} as const;

/** Newest first, as the API lists them. Release dates before 5.1 are approximate. */
export const models: readonly ModelFacts[] = [
  {
    ...current,
    id: 'claude-fable-5-2',
    displayName: 'Claude Fable 5.2',
    line: 'fable',
    createdAt: '2026-11-09T00:00:00Z',
    minCacheable: 512,
  },
  {
    ...current,
    id: 'claude-haiku-5-5',
    displayName: 'Claude Haiku 5.5',
    line: 'haiku',
    createdAt: '2026-10-07T00:00:00Z',
    minCacheable: 512,
    thinking: ['adaptive', 'disabled'],
    maxEffortWithoutThinking: 'high',
    forcedToolChoice: true,
    systemMessages: false,
  },
  {
    ...current,
    id: 'claude-sonnet-5-5',
    displayName: 'Claude Sonnet 5.5',
    line: 'sonnet',
    createdAt: '2026-09-28T00:00:00Z',
    thinking: ['adaptive', 'between_tools'],
    maxEffortWithoutThinking: 'high',
    systemMessages: false,
  },
  {
    ...current,
    id: 'claude-opus-5-5',
    displayName: 'Claude Opus 5.5',
    line: 'opus',
    createdAt: '2026-09-22T00:00:00Z',
    minCacheable: 512,
  },
  {
    ...current,
    id: 'claude-fable-5-1',
    displayName: 'Claude Fable 5.1',
    line: 'fable',
    createdAt: '2026-09-01T00:00:00Z',
    minCacheable: 512,
  },
  {
    ...generation5,
    id: 'claude-opus-5',
    displayName: 'Claude Opus 5',
    line: 'opus',
    createdAt: '2026-07-24T00:00:00Z',
    thinking: ['adaptive', 'disabled'],
    maxEffortWithoutThinking: 'high',
    minCacheable: 512,
  },
  {
    ...generation5,
    id: 'claude-sonnet-5',
    displayName: 'Claude Sonnet 5',
    line: 'sonnet',
    createdAt: '2026-06-30T00:00:00Z',
    thinking: ['adaptive', 'disabled'],
    systemMessages: false,
  },
  {
    ...generation5,
    id: 'claude-fable-5',
    displayName: 'Claude Fable 5',
    line: 'fable',
    createdAt: '2026-06-09T00:00:00Z',
    minCacheable: 512,
  },
  {
    ...opus4,
    id: 'claude-opus-4-8',
    displayName: 'Claude Opus 4.8',
    createdAt: '2026-05-28T00:00:00Z',
  },
  {
    ...opus4,
    id: 'claude-opus-4-7',
    displayName: 'Claude Opus 4.7',
    createdAt: '2026-04-16T00:00:00Z',
    minCacheable: 2048,
    systemMessages: false,
  },
  {
    ...generation46,
    id: 'claude-sonnet-4-6',
    displayName: 'Claude Sonnet 4.6',
    line: 'sonnet',
    createdAt: '2026-02-17T00:00:00Z',
  },
  {
    ...generation46,
    id: 'claude-opus-4-6',
    displayName: 'Claude Opus 4.6',
    createdAt: '2026-02-05T00:00:00Z',
    minCacheable: 4096,
  },
  {
    ...generation45,
    id: 'claude-opus-4-5-20251101',
    alias: 'claude-opus-4-5',
    displayName: 'Claude Opus 4.5',
    createdAt: '2025-11-24T00:00:00Z',
    efforts: ['low', 'medium', 'high'],
  },
  {
    ...generation45,
    id: 'claude-haiku-4-5-20251001',
    alias: 'claude-haiku-4-5',
    displayName: 'Claude Haiku 4.5',
    line: 'haiku',
    createdAt: '2025-10-15T00:00:00Z',
    efforts: [],
  },
  {
    ...generation45,
    id: 'claude-sonnet-4-5-20250929',
    alias: 'claude-sonnet-4-5',
    displayName: 'Claude Sonnet 4.5',
    line: 'sonnet',
    createdAt: '2025-09-29T00:00:00Z',
    lifecycle: 'deprecated',
    deprecatedAt: '2026-08-05T00:00:00Z',
    retiresAt: '2026-11-30T00:00:00Z',
    minCacheable: 1024,
    efforts: [],
  },
  {
    ...generation45,
    id: 'claude-opus-4-1-20250805',
    alias: 'claude-opus-4-1',
    displayName: 'Claude Opus 4.1',
    createdAt: '2025-08-05T00:00:00Z',
    lifecycle: 'retired',
    deprecatedAt: '2026-05-05T00:00:00Z',
    retiresAt: '2026-08-05T00:00:00Z',
    efforts: [],
  },
];

/** What answers in place of Claude without a key. By the ending of its id, gateways say that a model costs nothing. */
export const offlineModel: ModelFacts = {
  ...current,
  id: 'offline-stand-in:free',
  displayName: 'Offline Stand-in',
  line: 'haiku',
  createdAt: '2026-01-01T00:00:00Z',
  thinking: ['disabled'],
  thinksByDefault: false,
};

/** By id or alias. */
export function findModel(id: string): ModelFacts | undefined {
  return [...models, offlineModel].find((model) => model.id === id || model.alias === id);
}
