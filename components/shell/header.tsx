import { SearchButton } from '#components/palette/search-button.tsx'
import { Brand } from './brand.tsx'
import { Freshness } from './freshness.tsx'
import { Navigation } from './navigation.tsx'
import type { Theme } from './theme.ts'
import { ThemeToggle } from './theme-toggle.tsx'

/** What stands above every page: where one is, how fresh the data are. */
export function Header({ theme }: { theme: Theme }) {
  return (
    <header className="flex min-h-[51px] flex-wrap items-center gap-x-1.5 border-b sm:gap-x-5 bg-surface px-4 sm:px-5">
      <div className="flex h-[51px] items-center">
        <Brand />
      </div>
      <div className="order-last w-full min-w-0 pb-1.5 md:order-none md:w-auto md:pb-0">
        <Navigation />
      </div>
      <SearchButton />
      <div className="flex min-w-0 items-center gap-1.5 max-sm:flex-1 max-sm:basis-0 max-sm:justify-end sm:gap-4">
        <Freshness />
        <ThemeToggle initial={theme} />
      </div>
    </header>
  )
}
