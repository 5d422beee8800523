/** The arguments with which test processes start Node, so that it loads modules as `src/main.ts` does. */
export const preloadArguments: readonly string[] = ['--import', import.meta.resolve('#src/kit/module-paths.ts')]
