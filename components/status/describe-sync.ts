import type { FreshnessTone } from '#components/shell/select-freshness.ts'
import type { Status } from '#lib/contract/answers/status.ts'

type SyncState = Status['sync']['state']

/** What a state means, as a headline and a sentence for who never heard of it. */
export const SYNC_WORDS: Record<
  SyncState,
  { tone: FreshnessTone; title: string; meaning: string }
> = {
  starting: {
    tone: 'busy',
    title: 'Starting',
    meaning: 'The archive is being opened.',
  },
  bootstrapping: {
    tone: 'busy',
    title: 'Filling the archive',
    meaning:
      'The weekly dump comes first: it holds everything up to last Sunday, 00:00 ET, in one request.',
  },
  following: {
    tone: 'good',
    title: 'Following the service',
    meaning: 'The newest pages are read until they meet what is here already.',
  },
  reconciling: {
    tone: 'busy',
    title: 'Comparing with the weekly dump',
    meaning: 'Whatever the pages missed is filled in from the new edition.',
  },
  idle: {
    tone: 'good',
    title: 'Up to date',
    meaning: 'Everything the service had when it was last asked is here.',
  },
  waiting: {
    tone: 'waiting',
    title: 'Waiting',
    meaning: 'The sync goes on by itself; what is in the archive can be read meanwhile.',
  },
  stopped: {
    tone: 'failed',
    title: 'Stopped',
    meaning: 'The sync needs somebody: what is in the archive can still be read.',
  },
}

/** Can a sync be asked for? Not while one runs, and not where it would be refused again. */
export const canSyncNow = ({ state, progress }: Status['sync']): boolean =>
  progress === null && (state === 'idle' || state === 'following' || state === 'waiting')
