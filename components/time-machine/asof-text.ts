import { isZonedMidnight, toZonedDay, toZonedText } from '#components/format/zoned.ts'
import type { Outlook } from '#lib/contract/outlook.ts'

/** Is that the last second of its day in the zone? */
export const isEndOfDay = (seconds: number, zone: string): boolean =>
  isZonedMidnight(seconds + 1, zone)

/** An instant that a page is rewound to, in its zone: a day is its last second, `2024-08-02`; else `2024-08-02 14:30`. */
export const toAsofText = (asof: number, zone: string): string =>
  isEndOfDay(asof, zone)
    ? toZonedDay(asof, zone)
    : toZonedText(asof, zone, asof % 60 === 0 ? 'minute' : 'second')

/** The title of a page, with the instant that it is rewound to: `AAPL as of 2024-08-02`. */
export const toTimedTitle = (title: string, { asof, tz }: Outlook): string =>
  asof === null ? title : `${title} as of ${toAsofText(asof, tz)}`
