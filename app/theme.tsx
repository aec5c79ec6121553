'use client'

import { ThemeProvider } from 'next-themes'
import type { ReactNode } from 'react'
import { THEME_KEY, THEMES } from '#components/shell/first-frame.ts'

type ThemeProps = { forced?: string | undefined; children: ReactNode }

/** `system` is a theme like the others: the style sheets ask the system, also without scripts. */
export const Theme = ({ forced, children }: ThemeProps) => (
  <ThemeProvider
    attribute="data-theme"
    themes={[...THEMES]}
    defaultTheme="system"
    enableSystem={false}
    enableColorScheme={false}
    storageKey={THEME_KEY}
    forcedTheme={forced}
  >
    {children}
  </ThemeProvider>
)
