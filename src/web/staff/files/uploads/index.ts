export { renderFileForm, renderFilePart } from './file-form.ts'
export { fileErrorIn, fileRefusals, storeCaptions, storeFile } from './files.ts'
export { deletePart, picturePart } from './parts.ts'
export { transfers } from './transfer.ts'
