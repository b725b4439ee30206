/** "scikit-learn>=1.5 ; python_version > '3.9'" → "scikit-learn": names are alike however they are punctuated. */
export function packageName(requirement: string): string {
  const name = /^\s*[\w.-]+/.exec(requirement)?.[0] ?? requirement;
  return name.trim().toLowerCase().replace(/[-_.]+/g, "-");
}

/** The version that a requirement led to, among lines such as "numpy==2.4.0". */
export function lockedVersion(requirement: string, locked: readonly string[]): string | null {
  const line = locked.find((candidate) => packageName(candidate) === packageName(requirement));
  return line?.split("==")[1]?.trim() ?? null;
}

/** The requirements with one more; it takes the place of one for the same package. */
export function withPackage(wanted: readonly string[], requirement: string): string[] {
  return [...wanted.filter((other) => packageName(other) !== packageName(requirement)), requirement.trim()];
}
