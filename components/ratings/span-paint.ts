import { type Shares, toSpanStyles } from './shares.ts'
import type { SpanEnd } from './span-drag.ts'

/** Shows a span on a track without drawing anything anew: what is marked there is moved. */
export function paintSpan(track: HTMLElement, shares: Shares): void {
  const styles: Readonly<Record<string, Readonly<Record<string, string>>>> = toSpanStyles(shares)
  for (const part of track.querySelectorAll<HTMLElement>('[data-span]')) {
    for (const [name, value] of Object.entries(styles[part.dataset.span ?? ''] ?? {})) {
      part.style.setProperty(name, value)
    }
  }
}

/** Says where an end is while it moves. */
export function writeEnd(track: HTMLElement, which: SpanEnd, text?: string): void {
  if (text !== undefined) {
    track.querySelector(`[role=slider][data-span=${which}]`)?.setAttribute('aria-valuetext', text)
  }
}
