import { formatRelative } from '#components/format/relative.ts'
import { EASTERN, toZonedText } from '#components/format/zoned.ts'
import { toOffsetText } from './offset-text.ts'
import { toZoneName } from './zone-name.ts'

/** One way to write an instant; `text` is what is seen and what is copied. */
export type CardRow = { name: string; text: string }

type Asked = {
  /** Seconds since 1970. */
  seconds: number
  /** The page's zone. */
  zone: string
  /** The reader's own, where it is known. */
  own: string | null
  /** By the server's clock; null while it is not known. */
  now: number | null
}

const UTC = 'UTC'

/** Every way to write an instant that a reader may want: UTC, his own zone, Eastern, the page's, from now, epoch. */
export function toCardRows({ seconds, zone, own, now }: Asked): CardRow[] {
  const zones = [...new Set([UTC, ...(own === null ? [] : [own]), EASTERN, zone])]
  return [
    ...zones.map((name) => ({
      name: toName(name, own),
      text: `${toZonedText(seconds, name, 'second')}${toOffsetText(seconds, name)}`,
    })),
    ...(now === null ? [] : [{ name: 'Relative', text: formatRelative(seconds, now) }]),
    { name: 'Epoch', text: String(seconds) },
  ]
}

function toName(zone: string, own: string | null): string {
  const name = zone === EASTERN ? 'Eastern' : toZoneName(zone)
  return zone === own ? `Local, ${name}` : name
}
