'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { IgnoredNotice } from '#components/feedback/ignored-notice.tsx'
import { formatBytes, formatCount, formatCounted } from '#components/format/numbers.ts'
import { useListView } from '#components/list/use-list.ts'
import { Instant } from '#components/time/instant.tsx'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Fold } from '#components/ui/fold.tsx'
import { useCommandKey } from '#components/ui/keyboard-shortcuts.ts'
import { ProgressBar } from '#components/ui/loading.tsx'
import { LiveRegion, Notice } from '#components/ui/messages.tsx'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'
import { statusSummaryOptions } from '#lib/client/query-options.ts'
import { DATABASE_TABLES } from '#lib/contract/database/tables.ts'
import { sqlQuery, toSqlHref } from '#lib/contract/page-addresses.ts'
import { EngineLost } from './engine.ts'
import { EXAMPLES, type Example } from './examples.ts'
import { ENGINE_BYTES } from './loader.ts'
import { PastQueries, rememberQuery } from './past-queries.tsx'
import { ResultFiles } from './result-files.tsx'
import type { FinishedQuery, Phase, Session } from './session.ts'
import { SqlEditor, type SqlEditorHandle } from './sql-editor.tsx'
import { SqlResultView } from './sql-result.tsx'
import type { ResultSort, SqlError } from './statement.ts'
import { NoWebAssembly, useSession, useSessionState } from './use-session.ts'

export function SqlScreen({ hasPrices }: { hasPrices: boolean }) {
  const view = useListView('/sql', sqlQuery)
  const session = useSession()
  const { phase, shown } = useSessionState(session)
  const editor = useRef<SqlEditorHandle>(null)
  /** A query that is too long for the address. */
  const [long, setLong] = useState<string | null>(null)
  const asked = view.query.q === '' ? (long ?? '') : view.query.q
  const [draft, setDraft] = useState(asked)
  const [text, setText] = useState(asked)
  const sort = useMemo(() => toAskedSort(view.query.sort), [view.query.sort])

  const follow = useEffectEvent(() => {
    setText(asked)
    setDraft(asked)
    if (asked === '') session.clear()
    else void session.run({ text: asked, sort })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the address changes
  useEffect(() => follow(), [asked, sort])

  const run = (query: string, chart: Example['chart'] = undefined) => {
    const trimmed = query.trim()
    if (trimmed === '') return editor.current?.focus()
    rememberQuery(trimmed)
    const isLong = toSqlHref(trimmed) === null
    setLong(isLong ? trimmed : null)
    setText(query)
    // Without a change of the address nothing follows it.
    if (trimmed === asked && sort === null) void session.run({ text: trimmed, sort })
    view.change({ ...NO_VIEW, ...chart, q: isLong ? '' : trimmed })
  }
  const notice = useRef<HTMLDivElement>(null)
  // On a phone the editor may fill the screen.
  useEffect(() => {
    if (phase.name === 'asking') notice.current?.scrollIntoView({ block: 'nearest' })
  }, [phase.name])
  const outcome = shown?.outcome
  const error = outcome && !outcome.ok && shown.query.text === draft.trim() ? outcome.error : null
  const isBusy = phase.name === 'loading' || phase.name === 'running'
  return (
    <PageBody>
      <div className="flex flex-col gap-1">
        <PageHeader title="SQL" />
        <p className="max-w-text text-ink-2">
          Ask the ratings anything. Queries run in this browser on a copy of the data.
        </p>
      </div>
      <IgnoredNotice
        href={view.hrefFor({ page: view.query.page })}
        ignored={view.ignored}
        params={view.given}
      />
      <div className="flex min-w-0 flex-col gap-2">
        <SqlEditor
          errorAt={error?.at ?? null}
          onChange={setDraft}
          onRun={() => run(draft)}
          ref={editor}
          tables={TABLES}
          text={text}
        />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <RunButton isBusy={isBusy} onCancel={session.cancel} onRun={() => run(draft)} />
          <Examples hasPrices={hasPrices} onRun={(example) => run(example.query, example.chart)} />
        </div>
        <div className="flex flex-wrap items-start gap-x-6 gap-y-1">
          <Fold title="Tables and columns">
            <TableList />
          </Fold>
          <PastQueries onPick={(query) => run(query)} />
        </div>
      </div>
      {error && <QueryError error={error} onGo={(at) => editor.current?.goTo(at)} query={draft} />}
      {long !== null && (
        <Notice title="This query is too long for an address">
          A link or a reload does not have it. It is in “Recent queries”.
        </Notice>
      )}
      <div className="scroll-mb-24" ref={notice}>
        <PhaseNotice phase={phase} session={session} />
      </div>
      <section aria-label="Result" className="flex min-w-0 flex-col gap-3">
        {shown?.outcome.ok && (
          <>
            <ResultHead isDimmed={isBusy} session={session} shown={shown} />
            <SqlResultView isDimmed={isBusy} result={shown.outcome.result} view={view} />
          </>
        )}
      </section>
      <LiveRegion message={toAnnouncement(phase, shown)} />
      <noscript>Queries run in this browser and need scripts.</noscript>
    </PageBody>
  )
}

const NO_VIEW = { sort: '', chart: null, x: '', y: '' } as const

const toAskedSort = (text: string): ResultSort | null => {
  if (text === '') return null
  return text.startsWith('-')
    ? { column: text.slice(1), direction: 'desc' }
    : { column: text, direction: 'asc' }
}

type RunButtonProps = { isBusy: boolean; onRun: () => void; onCancel: () => void }

/** One button, so that neither its place nor the focus changes. */
function RunButton({ isBusy, onRun, onCancel }: RunButtonProps) {
  const command = useCommandKey()
  return (
    <Button
      aria-keyshortcuts="Control+Enter"
      className="min-w-24"
      onClick={isBusy ? onCancel : onRun}
      variant={isBusy ? 'outline' : 'solid'}
    >
      {isBusy ? 'Cancel' : 'Run'}
      {!isBusy && (
        <span aria-hidden className="pl-1.5 font-normal opacity-70 pointer-coarse:hidden">
          {command}↵
        </span>
      )}
    </Button>
  )
}

type ExamplesProps = { hasPrices: boolean; onRun: (example: Example) => void }

const Examples = ({ hasPrices, onRun }: ExamplesProps) => (
  <ul aria-label="Examples" className="flex min-w-0 flex-wrap gap-x-3 gap-y-1">
    {EXAMPLES.filter(({ needsPrices }) => hasPrices || !needsPrices).map((example) => (
      <li key={example.title}>
        <button className="link pointer-coarse:py-2" onClick={() => onRun(example)} type="button">
          {example.title}
        </button>
      </li>
    ))}
  </ul>
)

type QueryErrorProps = { error: SqlError; query: string; onGo: (at: number) => void }

function QueryError({ error, query, onGo }: QueryErrorProps) {
  const { at } = error
  const line = at === null ? null : query.slice(0, at).split('\n').length
  return (
    <Notice
      action={
        at !== null && (
          <Button onClick={() => onGo(at)} size="small">
            Go to line {line}
          </Button>
        )
      }
      title="The query has an error"
      tone="failure"
    >
      <span className="whitespace-pre-wrap wrap-anywhere">{error.message}</span>
    </Notice>
  )
}

function PhaseNotice({ phase, session }: { phase: Phase; session: Session }) {
  switch (phase.name) {
    case 'asking':
      return (
        <Notice
          action={
            <Button onClick={session.agree} variant="solid">
              Load {formatBytes(phase.bytes)}
            </Button>
          }
          title={`The query needs ${formatBytes(phase.bytes)}`}
        >
          {formatBytes(ENGINE_BYTES)} for the database engine, the rest for the data. This browser
          keeps both until the data change.
        </Notice>
      )
    case 'loading':
      return phase.part === 'data' ? (
        <ProgressBar
          detail={
            phase.total === null
              ? undefined
              : `${formatBytes(phase.bytes)} of ${formatBytes(phase.total)}`
          }
          done={phase.bytes}
          label="Loading the data"
          total={phase.total}
        />
      ) : (
        <ProgressBar done={0} label="Starting the database engine" total={null} />
      )
    case 'running':
      return <ProgressBar done={0} label="Running the query" total={null} />
    case 'failed':
      return <Failure error={phase.error} onRetry={session.retry} />
    case 'idle':
      return null
  }
}

function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error instanceof NoWebAssembly) {
    return (
      <Notice title="This browser cannot run the database engine" tone="failure">
        Its security settings turn WebAssembly off. Exports and the API give the same rows.
      </Notice>
    )
  }
  if (error instanceof EngineLost) {
    return (
      <Notice
        action={<Button onClick={onRetry}>Try again</Button>}
        title="The database engine could not start"
        tone="failure"
      >
        The browser blocked or ended it. Exports and the API give the same rows.
      </Notice>
    )
  }
  return <FailureNotice error={error} onRetry={onRetry} what="The data" />
}

/** The server writes no newer file before. */
const FRESH_SECONDS = 60

type ResultHeadProps = { shown: FinishedQuery; session: Session; isDimmed: boolean }

function ResultHead({ shown, session, isDimmed }: ResultHeadProps) {
  const { data: status } = useQuery(statusSummaryOptions())
  if (!shown.outcome.ok) return null
  const { facts, total } = shown
  const { result, ms } = shown.outcome
  const isOld = (status?.now ?? 0) - facts.asOf > FRESH_SECONDS
  const hasNewer = isOld && (status?.archive.generation ?? 0) > facts.generation
  const rows = result.hasMore
    ? `First ${formatCount(result.rows.length)} of ${total === null ? '… rows' : formatCounted(total, 'row')}`
    : formatCounted(result.rows.length, 'row')
  return (
    <div
      aria-busy={isDimmed}
      className={classNames('flex min-w-0 flex-col gap-1', isDimmed && 'dimmed')}
    >
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="text-lg">{rows}</h2>
        <p className="text-ink-3">
          in {formatCount(ms)} ms, data of <Instant seconds={facts.asOf} />
          {hasNewer && (
            <>
              {' · '}
              <button className="link" onClick={session.renew} type="button">
                Load newer data
              </button>
            </>
          )}
        </p>
      </div>
      <ResultFiles rows={total} session={session} shown={shown} />
    </div>
  )
}

function toAnnouncement(phase: Phase, shown: FinishedQuery | null): string {
  if (phase.name === 'loading') return 'Loading'
  if (phase.name === 'running') return 'Running the query'
  if (phase.name !== 'idle' || !shown?.outcome.ok) return ''
  const { rows, hasMore } = shown.outcome.result
  return hasMore ? `The first ${rows.length} rows` : `${rows.length} rows`
}

const TABLES = DATABASE_TABLES

const TableList = () => (
  <div className="flex min-w-0 flex-col gap-1 pt-1">
    <p className="text-ink-3">Times are in UTC.</p>
    {TABLES.map(({ name, meaning, columns }) => (
      <Fold
        key={name}
        title={
          <>
            <span className="font-mono text-ink">{name}</span> · {meaning}
          </>
        }
      >
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 py-1 pl-4 sm:grid-cols-[auto_auto_minmax(0,1fr)]">
          {columns.map((column) => (
            <div className="contents" key={column.name}>
              <dt className="font-mono">{column.name}</dt>
              <dd className="font-mono text-ink-3 max-sm:hidden">{column.type}</dd>
              <dd className="text-ink-2">{column.meaning}</dd>
            </div>
          ))}
        </dl>
      </Fold>
    ))}
  </div>
)
