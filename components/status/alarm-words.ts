import type { AlarmKind } from '#lib/contract/answers/status.ts'

/** What an alarm is, as a headline; its message says the rest. `failed`: somebody has to do something. */
export const ALARM_WORDS: Record<AlarmKind, { title: string; tone: 'warning' | 'failure' }> = {
  refused: { title: 'The service does not accept the key', tone: 'failure' },
  unreachable: { title: 'The service does not answer', tone: 'failure' },
  stalled: { title: 'The sync stands still', tone: 'failure' },
  disk: { title: 'The disk is full', tone: 'failure' },
  budget: { title: 'The requests of this month do not last', tone: 'warning' },
  edition_late: { title: 'The week’s dump is late', tone: 'warning' },
  edition_unchanged: { title: 'The week’s dump brought nothing new', tone: 'warning' },
  edition_aside: { title: 'A dump was set aside', tone: 'warning' },
  silent: { title: 'Nobody has rated for unusually long', tone: 'warning' },
  falling: { title: 'The dumps keep shrinking', tone: 'warning' },
  vanished: { title: 'Ratings are no longer listed', tone: 'warning' },
  clock: { title: 'The clocks disagree', tone: 'warning' },
  archive_rebuilt: { title: 'The archive was damaged and has been filled again', tone: 'warning' },
}
