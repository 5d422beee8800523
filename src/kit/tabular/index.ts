export { inspectTable, readRows } from './inspect.ts'
export type { TableSource } from './open.ts'
export {
  type Column,
  type Delimiter,
  type Inspected,
  TableError,
  type TableFormat,
  type TableRow,
} from './table.ts'
