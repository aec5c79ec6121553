import type { ReactNode } from 'react'

type PageHeaderProps = {
  /** The page's `h1`. */
  title: ReactNode
  /** Stands beside the title in small: "of 98,310". */
  detail?: ReactNode
  /** Buttons at the right end. */
  actions?: ReactNode
}

/** The first line of a page. */
export function PageHeader({ title, detail, actions }: PageHeaderProps) {
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
      <h1 className="text-xl">{title}</h1>
      {detail !== undefined && <div className="min-w-0 text-ink-3">{detail}</div>}
      {actions !== undefined && (
        <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>
      )}
    </div>
  )
}
