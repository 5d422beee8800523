export { renderFileForm } from './file-form.ts'
export { fileRefusals, storeCaptions, storeFile } from './files.ts'
export { deletePart, picturePart } from './parts.ts'
