export { fileForm } from './file-form.ts'
export { fileRefusals, storeFile, withStaffFiles } from './files.ts'
export { deletePart, picturePart } from './parts.ts'
export { sizeOf } from './size.ts'
