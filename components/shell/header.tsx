import { Brand } from './brand.tsx'
import { Freshness } from './freshness.tsx'
import { Navigation } from './navigation.tsx'
import type { Theme } from './theme.ts'
import { ThemeToggle } from './theme-toggle.tsx'

/** What stands above every page: where one is, how fresh the data are. */
export function Header({ theme }: { theme: Theme }) {
  return (
    <header className="flex min-h-[51px] flex-wrap items-center gap-x-5 border-b bg-surface px-4 sm:px-5">
      <div className="flex h-[51px] items-center">
        <Brand />
      </div>
      <div className="order-last w-full min-w-0 pb-1.5 md:order-none md:w-auto md:pb-0">
        <Navigation />
      </div>
      <div className="ml-auto flex min-w-0 items-center gap-3 sm:gap-4">
        <Freshness />
        <ThemeToggle initial={theme} />
      </div>
    </header>
  )
}
