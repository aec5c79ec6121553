'use client'

import type { DocHeading } from '#lib/contract/document.ts'

type ContentsProps = { headings: readonly Pick<DocHeading, 'id' | 'level' | 'text'>[] }

/** A client component: the page sends the short list of headings, not every link several times. */
export function Contents({ headings }: ContentsProps) {
  return (
    <>
      <nav aria-label="On this page" className="max-lg:hidden">
        <ContentsList headings={headings} />
      </nav>
      <details className="rounded-lg border bg-surface lg:hidden">
        <summary className="min-h-8 px-3 py-1.5 font-medium">On this page</summary>
        <nav aria-label="On this page" className="px-3 pb-2">
          <ContentsList headings={headings} />
        </nav>
      </details>
    </>
  )
}

const ContentsList = ({ headings }: ContentsProps) => (
  <ul className="text-ink-3 [&_a]:block [&_a]:min-h-6 [&_a]:py-0.5 [&_a]:pl-3 [&_a]:wrap-anywhere [&_a]:hover:text-ink [&_a]:hover:underline">
    {headings.map(({ id, level, text }) => (
      <li key={id}>
        <a href={`#${id}`} className={level <= 2 ? 'pl-0! font-medium text-ink-2' : undefined}>
          {text}
        </a>
      </li>
    ))}
  </ul>
)
