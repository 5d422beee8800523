export { renderFileForm } from './file-form.ts'
export { fileRefusals, storeCaptions, storeFile, withStaffFiles } from './files.ts'
export { deletePart, picturePart } from './parts.ts'
