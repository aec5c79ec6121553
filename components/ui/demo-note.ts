export const DEMO_NOTE =
  'A program made up these ratings, and the prices where none were added. They say nothing about real companies or people.'
