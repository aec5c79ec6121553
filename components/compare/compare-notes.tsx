import { ZonedLink } from '#components/address/outlook.tsx'
import { formatDay } from '#components/format/instants.ts'
import { createBucketWords, type Judged } from '#components/symbols/bucket-words.ts'
import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/messages.tsx'
import type { Bucket } from '#lib/contract/api-queries.ts'
import { toCompareSummary } from './compare-summary.ts'
import type { ComparedLine, CompareScale } from './compared-lines.ts'

type CompareNotesProps = {
  lines: readonly ComparedLine[]
  judged: Judged
  scale: CompareScale
  minimum: number
}

/** How what is drawn comes about. */
export function toCompareRule({
  bucket,
  scale,
  minimum,
}: Omit<CompareNotesProps, 'lines' | 'judged'> & { bucket: Bucket }): string {
  const few = minimum === 1 ? 'none is' : `fewer than ${minimum} are`
  const rule = `Consensus: the mean of the ratings (1 Strong Sell to 5 Strong Buy) that were active at the end of each ${bucket}; not drawn where ${few}. n is how many were active.`
  return scale === 'rating'
    ? rule
    : `${rule} Change: that consensus minus the symbol’s own first one in the range, in rating points.`
}

/** What the comparison says, in words, and the rule that it was made by. */
export function CompareNotes({ lines, judged, scale, minimum }: CompareNotesProps) {
  const { bucket } = judged
  const summary = toCompareSummary(lines, {
    scale,
    bucket,
    toWhen: createBucketWords(judged).toWhen,
  })
  return (
    <div className="flex max-w-[100ch] flex-col gap-1.5 pl-2 text-sm wrap-anywhere text-ink-3">
      <p className="text-ink-2">{summary}</p>
      <p>{toCompareRule({ bucket, scale, minimum })}</p>
    </div>
  )
}

type UnknownSymbolsProps = {
  /** As keys. */
  symbols: readonly string[]
  asof: number | null
  onRemove: (key: string) => void
}

/** Says of each symbol that nobody had rated that it is left out, and where to look for it. */
export function UnknownSymbols({ symbols, asof, onRemove }: UnknownSymbolsProps) {
  return symbols.map((symbol) => (
    <Notice
      key={symbol}
      className="ml-2"
      action={
        <Button onClick={() => onRemove(symbol)} size="small">
          Remove
        </Button>
      }
      title={
        asof === null
          ? `Nobody has rated ${symbol}: it is left out`
          : `Nobody had rated ${symbol} by ${formatDay(asof)}: it is left out`
      }
    >
      <ZonedLink className="link" href={`/symbols?q=${encodeURIComponent(symbol)}`}>
        Search symbols for {symbol}
      </ZonedLink>
    </Notice>
  ))
}
