/** Of the file. Alone, so that the browser loads no operations for it. */
export const DATABASE_PATH = '/api/database.duckdb'
