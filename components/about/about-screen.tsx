'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LazyDrawing, lazyDrawing } from '#components/charts/lazy-drawing.tsx'
import { formatCounted } from '#components/format/numbers.ts'
import { ActionMark, RatingMark } from '#components/marks/rating-marks.tsx'
import { AsOfLink } from '#components/time/as-of.tsx'
import { ZonedDay } from '#components/time/instant.tsx'
import { HelpTabs } from '#components/time/page-tabs.tsx'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'
import { statusSummaryOptions } from '#lib/client/query-options.ts'
import type { StatusSummary } from '#lib/contract/answers/status.ts'
import type { TermPictureName } from './term-pictures.tsx'

export function AboutScreen() {
  const { data } = useQuery(statusSummaryOptions())
  return (
    <PageBody>
      <PageHeader title="About these ratings" />
      <HelpTabs path="/about" />
      {data && <Source status={data} />}
      <dl className="grid gap-4 md:grid-cols-2 xl:grid-cols-3 vast:grid-cols-6">
        {TERMS.map((term) => (
          <Term key={term.name} {...term} />
        ))}
      </dl>
    </PageBody>
  )
}

function Source({ status: { service, archive } }: { status: StatusSummary }) {
  return (
    <div className="flex max-w-text flex-col gap-2">
      <p>
        {service.invented
          ? 'This is demo data. A program made up these ratings, and the prices where none were added. They say nothing about real companies or people.'
          : 'People in a community publish what they think of shares and other instruments. This dashboard shows every rating that their ratings service lists, unfiltered.'}
      </p>
      <p className="text-ink-2">
        It holds {formatCounted(archive.ratings, 'rating')}
        {archive.complete_to !== null && (
          <>
            {' '}
            and is complete up to <ZonedDay seconds={archive.complete_to} />
          </>
        )}
        .{' '}
        <AsOfLink className="link" href="/status">
          Status
        </AsOfLink>{' '}
        shows how fresh they are and what is missing. None of it is advice.
      </p>
      <p className="text-ink-2">
        <AsOfLink className="link" href="/docs/definitions">
          How figures are defined
        </AsOfLink>{' '}
        has the formula of each figure,{' '}
        <AsOfLink className="link" href="/docs">
          the docs
        </AsOfLink>{' '}
        cover everything else, and{' '}
        <AsOfLink className="link" href="/docs/api">
          the API
        </AsOfLink>{' '}
        serves the same data to scripts.
      </p>
    </div>
  )
}

type TermProps = { name: string; picture: ReactNode; text: ReactNode }

function Term({ name, picture, text }: TermProps) {
  return (
    <div className="flex flex-col gap-2 rounded-lg border bg-surface p-4">
      <dt className="font-semibold">{name}</dt>
      <dd className="flex grow flex-col gap-3">
        <p className="text-ink-2">{text}</p>
        <div className="mt-auto flex min-h-[5.5rem] items-center rounded-md bg-sunk px-3 py-2">
          {picture}
        </div>
      </dd>
    </div>
  )
}

const Marks = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-x-4 gap-y-1.5">{children}</div>
)

const termPicture = lazyDrawing(async () => (await import('./term-pictures.tsx')).TermPicture)

/** Must match `term-pictures.tsx`. */
const PICTURE_SIZE = 'aspect-[240/64] w-full max-w-[300px]'

const Picture = ({ name }: { name: TermPictureName }) => (
  <LazyDrawing
    drawing={termPicture}
    drawn={{ name }}
    host={{ className: PICTURE_SIZE }}
    of={name}
  />
)

const TERMS: readonly TermProps[] = [
  {
    name: 'Rating',
    text: 'What one user thinks of one symbol, in five steps. Each step has a number from 1 to 5.',
    picture: (
      <Marks>
        {[1, 2, 3, 4, 5].map((code) => (
          <span key={code} className="inline-flex items-baseline gap-1">
            <span className="text-ink-3 tabular-nums">{code}</span>
            <RatingMark code={code} />
          </span>
        ))}
      </Marks>
    ),
  },
  {
    name: 'Action',
    text: 'What the rating did: the user’s first on the symbol, better or worse than the previous one, or the same again.',
    picture: (
      <Marks>
        {[1, 2, 3, 4].map((code) => (
          <ActionMark key={code} code={code} />
        ))}
      </Marks>
    ),
  },
  {
    name: 'Prediction',
    text: 'How far the user expects the price to move, in percent: up with a plus, down with a minus.',
    picture: <Picture name="prediction" />,
  },
  {
    name: 'Active',
    text: 'A rating counts from when it is posted until it expires or the same user rates the symbol again. Ended ratings stay in the tables but no longer count.',
    picture: <Picture name="active" />,
  },
  {
    name: 'Expiry',
    text: 'When a rating stops counting, as the service gives it. Some ratings have no expiry. A user who still holds the view posts again.',
    picture: <Picture name="expiry" />,
  },
  {
    name: 'Consensus',
    text: 'The mean of a symbol’s active ratings, one per user, from 1 to 5. n is the number of ratings in it.',
    picture: <Picture name="consensus" />,
  },
]
