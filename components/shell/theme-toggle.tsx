'use client'

import { useState } from 'react'
import { nextTheme, type Theme, toThemeCookie } from './theme.ts'

const NAMES = { system: 'as the system', light: 'light', dark: 'dark' }

/** Goes round system, light and dark. The server reads the choice from the cookie, so nothing flashes. */
export function ThemeToggle({ initial }: { initial: Theme }) {
  const [theme, setTheme] = useState(initial)
  const next = nextTheme(theme)
  const onClick = () => {
    setTheme(next)
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS, which a local network lacks
    document.cookie = toThemeCookie(next)
    if (next === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
  }
  return (
    <button
      type="button"
      onClick={onClick}
      aria-label={`Theme: ${NAMES[theme]}`}
      title={`Theme: ${NAMES[theme]}. Click for ${NAMES[next]}.`}
      className="inline-flex size-[31px] shrink-0 items-center justify-center rounded-md border border-line-2 text-ink-2 hover:border-edge hover:bg-sunk hover:text-ink"
    >
      <ThemeIcon theme={theme} />
    </button>
  )
}

function ThemeIcon({ theme }: { theme: Theme }) {
  return (
    <svg viewBox="0 0 16 16" className="size-3.5" fill="none" stroke="currentColor" aria-hidden>
      {theme === 'system' && (
        <>
          <circle cx="8" cy="8" r="5.5" strokeWidth="1.4" />
          <path d="M8 2.5a5.5 5.5 0 0 0 0 11z" fill="currentColor" stroke="none" />
        </>
      )}
      {theme === 'light' && (
        <>
          <circle cx="8" cy="8" r="3" strokeWidth="1.4" />
          <path
            strokeWidth="1.4"
            strokeLinecap="round"
            d="M8 1v1.2M8 13.8V15M1 8h1.2M13.8 8H15M3.05 3.05l.85.85M12.1 12.1l.85.85M3.05 12.95l.85-.85M12.1 3.9l.85-.85"
          />
        </>
      )}
      {theme === 'dark' && (
        <path d="M13.2 9.9A5.8 5.8 0 0 1 6.1 2.8a5.8 5.8 0 1 0 7.1 7.1z" strokeWidth="1.4" />
      )}
    </svg>
  )
}
