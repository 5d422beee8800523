export { headingsFrom, markdown } from '#src/web/markdown.ts'
