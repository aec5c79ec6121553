export type NavigationLink = { href: string; name: string }

export const HELP_PAGES: readonly NavigationLink[] = [
  { href: '/help', name: 'Help' },
  { href: '/about', name: 'About' },
  { href: '/docs/glossary', name: 'Glossary' },
  { href: '/docs', name: 'Docs' },
  { href: '/docs/api', name: 'API' },
]
