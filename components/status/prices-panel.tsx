import type { ReactNode } from 'react'
import { formatCounted } from '#components/format/numbers.ts'
import { AsOfLink } from '#components/time/as-of.tsx'
import { Instant } from '#components/time/instant.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { Card } from '#components/ui/panels.tsx'
import type { NamesReport, PricesReport } from '#lib/contract/answers/status.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { PriceFiles } from './price-files.tsx'
import { SetAside } from './set-aside.tsx'

type PricesPanelProps = { prices: PricesReport; isOneOfSeveral: boolean }

export function PricesPanel({ prices, isOneOfSeveral }: PricesPanelProps) {
  if (!prices.is_configured) {
    return (
      <Card id="prices" title="Prices">
        <PriceFiles files={[]} isOneOfSeveral={isOneOfSeveral}>
          <p className="text-ink-3">
            None are set up, so ratings are judged without them.{' '}
            <AsOfLink className="link" href="/docs/prices#price-files">
              How to add prices
            </AsOfLink>
          </p>
        </PriceFiles>
      </Card>
    )
  }
  const failed = prices.files.filter(({ problem }) => problem !== null)
  return (
    <Card
      id="prices"
      title="Prices"
      detail={
        prices.read_at === null ? (
          'being read'
        ) : (
          <>
            {formatCounted(prices.prices, 'close')} of {formatCounted(prices.symbols, 'symbol')},
            read <Instant seconds={prices.read_at} />
          </>
        )
      }
    >
      {prices.problem !== null && (
        <Notice tone="failure" title="The price files were not read">
          <p className="wrap-anywhere">
            <bdi>{toVisibleText(prices.problem)}</bdi>
            {prices.prices > 0 && ' The prices read earlier stay in use.'}
          </p>
        </Notice>
      )}
      {failed.length > 0 && (
        <Notice tone="failure" title="Some price files cannot be read">
          <ul>
            {failed.map(({ file, problem }) => (
              <li key={file} className="wrap-anywhere">
                <bdi>{file}</bdi> {problem}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <PriceFiles files={prices.files} isOneOfSeveral={isOneOfSeveral}>
        <p className="text-ink-3">
          {prices.invented &&
            'Demo prices, made up by a program. They say nothing about real companies. '}
          {prices.first_day !== null && `From ${prices.first_day} to ${prices.last_day}. `}
          Returns are compared with {prices.benchmark ?? 'the mean of all symbols'}.
          {prices.doubled > 0 &&
            ` ${formatCounted(prices.doubled, 'day')} had two closes: the later one counts.`}
        </p>
      </PriceFiles>
      <SetAside lines={prices} label="Lines set aside" />
      {prices.unrated.symbols > 0 && <UnratedSymbols unrated={prices.unrated} />}
      <FlaggedCloses flags={prices.spikes} name="Closes left out">
        {formatCounted(prices.spikes.length, 'close')} left out: 8 times the close before, or an
        eighth of it, for one day
      </FlaggedCloses>
      <FlaggedCloses flags={prices.jumps} name="Price jumps">
        {formatCounted(prices.jumps.length, 'jump')} that look like splits, not adjusted: calls
        across them do not count
      </FlaggedCloses>
    </Card>
  )
}

type FlaggedClosesProps = { flags: PricesReport['jumps']; name: string; children: ReactNode }

function FlaggedCloses({ flags, name, children }: FlaggedClosesProps) {
  if (flags.length === 0) return null
  return (
    <details>
      <summary>{children}</summary>
      <ul aria-label={name} className="text-sm text-ink-3">
        {flags.map(({ symbol, date, factor }) => (
          <li key={`${symbol} ${date}`} className="wrap-anywhere">
            <bdi>{toVisibleText(symbol)}</bdi> on {date}: {factor} times the close before
          </li>
        ))}
      </ul>
    </details>
  )
}

function UnratedSymbols({ unrated }: { unrated: PricesReport['unrated'] }) {
  const more = unrated.symbols - unrated.examples.length
  return (
    <details>
      <summary>{formatCounted(unrated.symbols, 'symbol')} with prices and no rating</summary>
      <ul aria-label="Symbols with prices and no rating" className="text-sm text-ink-3">
        {unrated.examples.map(({ symbol, similar }) => (
          <li key={symbol} className="wrap-anywhere">
            <bdi>{symbol}</bdi>
            {similar !== null && (
              <>
                : rename it to <bdi>{similar}</bdi>, which is rated
              </>
            )}
          </li>
        ))}
        {more > 0 && <li>and {formatCounted(more, 'more symbol')}</li>}
      </ul>
    </details>
  )
}

export function NamesPanel({ names }: { names: NamesReport }) {
  if (!names.is_configured) return null
  return (
    <Card
      id="names"
      title="Names of symbols"
      detail={
        names.read_at !== null && (
          <>
            {formatCounted(names.names, 'name')}, read <Instant seconds={names.read_at} />
          </>
        )
      }
    >
      {names.problem !== null && (
        <Notice tone="failure" title="The file of names cannot be read">
          <p className="wrap-anywhere">
            <bdi>{names.file}</bdi> {names.problem}.
            {names.read_at !== null && ' The names read earlier stay in use.'}
          </p>
        </Notice>
      )}
      <SetAside lines={names} label="Names set aside" />
    </Card>
  )
}
