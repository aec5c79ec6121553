'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ZonedLink } from '#components/address/outlook.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { ActionMark, RatingMark } from '#components/marks/rating-marks.tsx'
import { ZonedDay } from '#components/time/instant.tsx'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'
import { statusOptions } from '#lib/client/query-options.ts'
import type { Status } from '#lib/contract/answers/status.ts'
import { ActivePicture, ConsensusPicture, PredictionPicture } from './pictures.tsx'

/** What the ratings are, whose, how fresh, and what the words mean that every other page uses. */
export function AboutScreen() {
  const { data } = useQuery(statusOptions())
  return (
    <PageBody>
      <PageHeader title="About these ratings" />
      {data && <Source status={data.data} />}
      <dl className="grid gap-4 md:grid-cols-2 xl:grid-cols-3 vast:grid-cols-6">
        {TERMS.map((term) => (
          <Term key={term.name} {...term} />
        ))}
      </dl>
    </PageBody>
  )
}

/** Whose ratings they are, and up to when they are known. */
function Source({ status: { service, archive } }: { status: Status }) {
  const { formatCounted } = useFormats()
  return (
    <div className="flex max-w-text flex-col gap-2">
      <p>
        {service.invented
          ? 'This is a demonstration. Its community is invented: a program wrote these ratings, and they say nothing about real companies or people.'
          : 'People in a community publish what they think of shares and other instruments. This dashboard shows every rating that their ratings service lists, unfiltered.'}
      </p>
      <p className="text-ink-2">
        It holds {formatCounted(archive.ratings, 'rating')}
        {archive.complete_to !== null && (
          <>
            {' '}
            and is complete to <ZonedDay seconds={archive.complete_to} />
          </>
        )}
        .{' '}
        <ZonedLink className="link" href="/status">
          Status
        </ZonedLink>{' '}
        says how fresh they are and what is missing. None of it is advice.
      </p>
      <p className="text-ink-2">
        <ZonedLink className="link" href="/docs/opinion">
          Figures of opinion
        </ZonedLink>{' '}
        says how each figure is worked out,{' '}
        <ZonedLink className="link" href="/docs">
          the docs
        </ZonedLink>{' '}
        have everything else, and{' '}
        <ZonedLink className="link" href="/docs/api">
          the API
        </ZonedLink>{' '}
        gives the same data to scripts.
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
    text: 'What the rating did. It is the user’s first on the symbol, it is better or worse than the one before, or it says the same again.',
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
    picture: <PredictionPicture />,
  },
  {
    name: 'Active',
    text: 'A rating counts from the moment when it is posted until it expires, or until the same user rates the symbol again. Expired ratings stay in the tables, and count no more.',
    picture: <ActivePicture />,
  },
  {
    name: 'Expiry',
    text: 'When a rating stops counting by itself, as the service gives it. Some ratings have none. A user who still means it posts again.',
    picture: <ActivePicture ends="expires" />,
  },
  {
    name: 'Consensus',
    text: 'The mean of the active ratings of a symbol, one for each user, from 1 to 5. It stands beside n, the number of ratings that it is made of.',
    picture: <ConsensusPicture />,
  },
]
