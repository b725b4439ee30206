/** Everything that comes, once no more does. */
export async function collect<T>(coming: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of coming) items.push(item);
  return items;
}
