import '@fontsource-variable/geist/wght.css'
import localFont from 'next/font/local'

/** Latin letters. The style sheet loads those of other scripts where a text has them. */
const sans = localFont({
  src: '../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  variable: '--font-geist-sans',
  weight: '100 900',
  adjustFontFallback: false,
})

const mono = localFont({
  src: '../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
  variable: '--font-geist-mono',
  weight: '100 900',
  preload: false,
  adjustFontFallback: false,
})

export const fontClasses = `${sans.variable} ${mono.variable}`
