import type { ReactNode } from 'react'
import { DEMO_NOTE } from '#components/format/texts.ts'
import { classNames } from '#components/ui/class-names.ts'
import { embedQuery } from '#lib/contract/api-queries.ts'
import { withBase } from '#lib/contract/base-path.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { isProblem } from '#lib/contract/query-parameters.ts'
import { readLeniently } from '#lib/contract/query-schema.ts'
import { useInvented } from './embed-of.tsx'

type EmbedFrameProps = {
  title: string
  href: string
  figures?: ReactNode
  ignored?: readonly Issue[]
  children: ReactNode
}

export function EmbedFrame({ title, href, figures, ignored = [], children }: EmbedFrameProps) {
  const isInvented = useInvented()
  return (
    <div className="flex min-w-0 flex-col gap-2 px-3 py-2.5">
      <header className="flex min-w-0 flex-wrap items-baseline gap-x-3">
        <h1 className="text-lg wrap-anywhere">{title}</h1>
        {figures && <p className="text-sm text-ink-2 max-sm:order-last max-sm:w-full">{figures}</p>}
        {isInvented && (
          <span className="ml-auto text-sm text-ink-2" title={DEMO_NOTE}>
            Demo data<span className="max-sm:sr-only">, invented</span>
          </span>
        )}
        <a
          className={classNames('link text-sm', !isInvented && 'ml-auto')}
          href={withBase(href)}
          rel="noopener"
          target="_blank"
          title={`${title} in the dashboard, opens in a new tab`}
        >
          Bellwether <span aria-hidden>↗</span>
        </a>
      </header>
      {ignored.length > 0 && (
        <p className="text-sm text-rating-text-2" role="status">
          Ignored in the address: {ignored.map(toIgnoredText).join('; ')}.
        </p>
      )}
      {children}
    </div>
  )
}

const toIgnoredText = ({ parameter, message }: Issue) => `${parameter} ${message}`

export const EmbedText = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="flex grow flex-col items-center justify-center gap-1 px-4 py-12 text-center text-balance">
    <p className="text-lg font-semibold wrap-anywhere">{title}</p>
    {children !== undefined && <p className="text-ink-3">{children}</p>}
  </div>
)

type EmbedRuleProps = {
  rule: ReactNode
  children?: ReactNode
}

export const EmbedRule = ({ rule, children }: EmbedRuleProps) => (
  <details className="text-sm text-ink-3">
    <summary className="w-fit cursor-pointer hover:text-ink">
      Method<span className="sr-only"> of the chart</span>
    </summary>
    {children}
    <p className="max-w-[100ch] pt-1">{rule}</p>
  </details>
)

export const EMBED_LIVE_MS = 5 * 60_000

const CHART_PARAMETERS: readonly string[] = ['from', 'to', 'vs']

/** `chart`: the parameters of the chart. Others than these and `theme` are ignored. */
export function readEmbedAddress(params: URLSearchParams): {
  chart: URLSearchParams
  ignored: Issue[]
} {
  const isOfChart = (name: string) => CHART_PARAMETERS.includes(name)
  const select = (isMeant: (name: string) => boolean) =>
    new URLSearchParams([...params].filter(([name]) => isMeant(name)))
  const { theme } = embedQuery.parameters
  const bad = params
    .getAll('theme')
    .map((value) => theme.read([value]))
    .find(isProblem)
  const others = select((name) => name !== 'theme' && !isOfChart(name))
  return {
    chart: select(isOfChart),
    ignored: [
      ...(bad ? [{ parameter: 'theme', message: bad.problem }] : []),
      ...readLeniently(embedQuery, others).ignored,
    ],
  }
}
