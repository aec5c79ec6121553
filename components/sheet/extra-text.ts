import { toVisibleText } from '#components/status/visible-text.ts'

/** Fields that are listed; a service may send any number. */
export const EXTRAS_MAX = 50

/**
 * The fields that the specification does not know, as text: everything invisible written out, long values cut. What is
 * no text is written as JSON.
 */
export function toExtraTexts(extra: Readonly<Record<string, unknown>>) {
  const all = Object.entries(extra)
  return {
    rows: all.slice(0, EXTRAS_MAX).map(([name, value]) => ({
      key: name,
      name: name === '' ? '""' : toVisibleText(name),
      text: toVisibleText(typeof value === 'string' ? value : JSON.stringify(value)),
    })),
    more: Math.max(0, all.length - EXTRAS_MAX),
  }
}
