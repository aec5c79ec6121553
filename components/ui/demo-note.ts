export const DEMO_NOTE =
  'A program wrote these ratings, and the prices where nobody brought any. They say nothing about real companies or people.'
