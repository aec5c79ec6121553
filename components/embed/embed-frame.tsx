import type { ReactNode } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import { DEMO_NOTE } from '#components/ui/demo-note.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { embedQuery } from '#lib/contract/embed-query.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { isProblem } from '#lib/contract/query-parameters.ts'
import { useInvented } from './embed-of.tsx'

type EmbedFrameProps = {
  title: string
  /** The page of the dashboard that shows the same, as a path. */
  href: string
  /** The figures of the moment, beside the title. */
  figures?: ReactNode
  ignored?: readonly Issue[]
  children: ReactNode
}

/** What stands around a chart in the frame of another page: whose it is, as of when, and the way to all of it. */
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
          title={`${title} in the dashboard, in a page of its own`}
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

/** Words in the place of a chart. */
export const EmbedText = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="flex grow flex-col items-center justify-center gap-1 px-4 py-12 text-center text-balance">
    <p className="text-lg font-semibold wrap-anywhere">{title}</p>
    {children !== undefined && <p className="text-ink-3">{children}</p>}
  </div>
)

type EmbedRuleProps = {
  rule: ReactNode
  /** What stands above it, as the key to a chart. */
  children?: ReactNode
}

/** Below a chart in the frame of another page: what is drawn, on a click. */
export const EmbedRule = ({ rule, children }: EmbedRuleProps) => (
  <details className="text-sm text-ink-3">
    <summary className="w-fit cursor-pointer hover:text-ink">
      What is drawn, and by which rule
    </summary>
    {children}
    <p className="max-w-[100ch] pt-1">{rule}</p>
  </details>
)

/** A frame may stand on a wall: what it shows live is asked for again, though seldom. */
export const EMBED_LIVE_MS = 5 * 60_000

/** The parameters of an embed without its theme, and what is wrong with the theme. */
export function splitTheme(params: URLSearchParams): { rest: URLSearchParams; ignored: Issue[] } {
  const rest = new URLSearchParams(params)
  rest.delete('theme')
  const { theme } = embedQuery.parameters
  const bad = params
    .getAll('theme')
    .map((value) => theme.read([value]))
    .find(isProblem)
  return { rest, ignored: bad ? [{ parameter: 'theme', message: bad.problem }] : [] }
}
