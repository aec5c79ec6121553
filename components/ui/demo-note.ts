/** Said wherever demo data may be taken for somebody's ratings. */
export const DEMO_NOTE =
  'A program wrote these ratings. They say nothing about real companies or people.'
