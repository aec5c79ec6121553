import type { Node } from './answers/status.ts'

/** A node says every five seconds that it lives. */
const SILENT_SECONDS = 30

type Seen = Pick<Node, 'seen_at'>

/**
 * Those of the nodes that say that they live. A node is held against the one that was heard of last, so that neither the
 * clock of this machine nor a list that is an hour old makes all of them silent.
 */
export function selectHeard<N extends Seen>(nodes: readonly N[]): N[] {
  const latest = Math.max(...nodes.map(({ seen_at }) => seen_at))
  return nodes.filter(({ seen_at }) => latest - seen_at <= SILENT_SECONDS)
}
