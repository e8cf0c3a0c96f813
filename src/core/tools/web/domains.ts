import { isObject } from '../../text/json';

/** `assistant.webDomains`: with any to allow, there are no others; what is blocked is blocked all the same. */
export interface WebDomains {
  readonly allow?: readonly string[];
  readonly block?: readonly string[];
}

/** Whether a page may be fetched or named. A domain stands for those below it, too. */
export function isAllowedHost(host: string, { allow = [], block = [] }: WebDomains): boolean {
  const isIn = (domain: string) => isWithin(host.toLowerCase().replace(/\.+$/, ''), domain.toLowerCase());
  return (allow.length === 0 || allow.some(isIn)) && !block.some(isIn);
}

/**
 * As the API takes them, which is one list or the other. What is to be allowed counts, without what is blocked; pages
 * of blocked domains below an allowed one are left out of what comes back. Undefined when nothing is left to allow.
 */
export function sentDomains({ allow = [], block = [] }: WebDomains):
  | {
      readonly allowed_domains?: string[];
      readonly blocked_domains?: string[];
    }
  | undefined {
  if (allow.length === 0) return block.length === 0 ? {} : { blocked_domains: [...block] };
  const left = allow.filter((domain) => isAllowedHost(domain, { block }));
  return left.length === 0 ? undefined : { allowed_domains: left };
}

/** Whether a value from the settings can be understood: one with a typing error might allow too much. */
export function isWebDomains(value: unknown): value is WebDomains {
  if (!isObject(value)) return false;
  const { allow, block, ...unknown } = value;
  return (
    Object.keys(unknown).length === 0 && [allow, block].every((list) => list === undefined || isList(list))
  );
}

/** What of a value that cannot be used still forbids something. */
export function readableDomains(value: unknown): WebDomains {
  const { allow, block } = isObject(value) ? value : {};
  const entries = Object.entries({ allow, block }).map(
    ([name, list]) => [name, Array.isArray(list) ? list.filter(isDomain) : []] as const,
  );
  return Object.fromEntries(entries.filter(([, list]) => list.length > 0));
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.length <= 100 && value.every(isDomain);
}

/** ASCII only: other letters can look the same. */
function isDomain(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(value);
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
