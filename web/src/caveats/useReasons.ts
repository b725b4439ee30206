import { hashKey, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { caveatMembers, reasonsFor, type Reasons } from "../api/caveats";
import type { Question, VersionRef } from "../api/types";

const MEMBERS_PAGE = 50;

/** A question about a dataset of a version. Data made anew is another subject. */
export interface Subject {
  ref: VersionRef;
  artifact: string | undefined;
  question: Question;
}

/** Why something is in doubt, as the answer comes in. Nothing is asked before the dataset is there. */
export function useReasons({ ref, artifact, question }: Subject) {
  const queryKey = ["caveats", ref.branch, ref.number, artifact, question];
  return useQuery<Reasons>({
    queryKey,
    enabled: artifact !== undefined,
    queryFn: async ({ client, signal }) => {
      let reasons: Reasons = { sets: [], complete: false };
      for await (reasons of reasonsFor(ref, question, signal)) client.setQueryData(queryKey, reasons);
      return reasons;
    },
    // The same question on another version: what was known before stays until it is answered anew.
    placeholderData: (before, query) =>
      query && hashKey([query.queryKey.at(-1)]) === hashKey([question]) ? before : undefined,
    // An answer that was given up halfway is not an answer.
    staleTime: ({ state }) => (state.data?.complete ? Infinity : 0),
    refetchOnWindowFocus: false,
    retry: false,
  });
}

/** The members of one caveat set, page by page. */
export function useMembers({ ref, artifact, question }: Subject, set: string) {
  return useInfiniteQuery({
    queryKey: ["members", ref.branch, ref.number, artifact, question, set],
    queryFn: ({ pageParam, signal }) =>
      caveatMembers(ref, question, { set, offset: pageParam, limit: MEMBERS_PAGE }, signal),
    initialPageParam: 0,
    getNextPageParam: (page, all) => (page.length === MEMBERS_PAGE ? all.length * MEMBERS_PAGE : undefined),
    staleTime: Infinity,
  });
}
