import { EASTERN } from '#components/format/zoned.ts'

/** A zone as it stands behind a time: `UTC`, `ET`, `Europe/Berlin`. */
export const toZoneName = (zone: string): string =>
  zone === EASTERN ? 'ET' : zone.replaceAll('_', ' ')
