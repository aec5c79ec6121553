'use client'

import type { CSSProperties, KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { formatCount } from '#components/format/numbers.ts'
import { isPlainClick } from '#components/ui/button.tsx'
import { Link } from '#components/ui/link.tsx'

type PagerProps = {
  /** From 1. */
  number: number
  pages: number
  total: number
  size: number
  /** Reserves width, so that the buttons do not move. */
  most?: number
  hrefFor?: (number: number) => string
  onPage?: (number: number) => void
  children?: ReactNode
}

export function Pager({ number, pages, total, size, hrefFor, onPage, ...rest }: PagerProps) {
  const most = Math.max(total, rest.most ?? 0)
  const first = (number - 1) * size + 1
  const last = Math.min(number * size, total)
  const range = `${first <= last ? `${formatCount(first)}–${formatCount(last)}` : '0'} of ${formatCount(total)}`
  const stepTo = (page: number) => ({ href: hrefFor?.(page), onGo: onPage && (() => onPage(page)) })
  return (
    <div className="@container">
      <div className="when-whole flex flex-wrap items-center gap-x-4 gap-y-2 text-ink-3">
        {/* Paper has no `nav`. */}
        <span className="hidden print:inline">Rows {range}</span>
        <nav
          aria-label="Pages"
          className="flex h-[31px] items-center gap-x-4 whitespace-nowrap max-md:h-10 max-sm:w-full max-sm:justify-between max-sm:gap-x-1"
        >
          <span className="sm:min-w-(--least)" style={toLeastWidth(formatCount(most))}>
            {range}
          </span>
          <span className="flex items-center gap-0.5">
            <Step label="Previous page" off={number <= 1} {...stepTo(Math.max(1, number - 1))}>
              ‹
            </Step>
            <Step label="Next page" off={number >= pages} {...stepTo(Math.min(pages, number + 1))}>
              ›
            </Step>
            <span className="ml-2 hidden min-w-56 items-center gap-0.5 @min-[54rem]:flex">
              {selectPages(number, pages).map((page) =>
                page.kind === 'gap' ? (
                  <span key={`gap-${page.after}`} className="px-1.5" aria-hidden>
                    …
                  </span>
                ) : (
                  <Step
                    key={page.number}
                    label={`Page ${formatCount(page.number)}`}
                    current={page.number === number}
                    {...stepTo(page.number)}
                  >
                    {formatCount(page.number)}
                  </Step>
                ),
              )}
            </span>
          </span>
        </nav>
        {rest.children !== undefined && (
          <span className="pager-end ml-auto max-sm:ml-0">{rest.children}</span>
        )}
        <span data-last hidden />
      </div>
    </div>
  )
}

const toLeastWidth = (most: string) => ({ '--least': `${3 * most.length + 5}ch` }) as CSSProperties

type StepProps = {
  label: string
  href: string | undefined
  onGo: (() => void) | undefined
  off?: boolean
  current?: boolean
  children: ReactNode
}

/** Disabled steps keep their element and thereby the focus. */
function Step({ label, href, onGo, off = false, current = false, children }: StepProps) {
  const common = {
    'aria-label': label,
    'aria-disabled': off || undefined,
    'aria-current': current ? ('page' as const) : undefined,
    className: 'page-step',
  }
  if (href === undefined) {
    return (
      <button type="button" {...common} onClick={() => !off && onGo?.()}>
        {children}
      </button>
    )
  }
  const onClick = (event: MouseEvent) => {
    if (off) return event.preventDefault()
    if (!onGo || !isPlainClick(event)) return
    event.preventDefault()
    onGo()
  }
  // A link with the role of a button: Space must work.
  const onKeyDown = (event: KeyboardEvent<HTMLAnchorElement>) => {
    if (event.key !== ' ') return
    event.preventDefault()
    event.currentTarget.click()
  }
  return (
    <Link
      role="button"
      href={href}
      scroll={false}
      {...common}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      {children}
    </Link>
  )
}

type PageStep = { kind: 'page'; number: number } | { kind: 'gap'; after: number }

export function selectPages(number: number, pages: number): PageStep[] {
  const low = Math.max(1, Math.min(number - 1, pages - 2))
  const high = Math.min(pages, Math.max(number + 1, 3))
  const named = new Set([1, pages])
  for (let page = low; page <= high; page += 1) named.add(page)
  const steps: PageStep[] = []
  let previous = 0
  for (const page of [...named].sort((a, b) => a - b)) {
    if (page - previous === 2) steps.push({ kind: 'page', number: page - 1 })
    else if (page - previous > 2) steps.push({ kind: 'gap', after: previous })
    steps.push({ kind: 'page', number: page })
    previous = page
  }
  return steps
}
