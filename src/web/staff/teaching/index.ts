export { teachingHome } from './home.ts'
