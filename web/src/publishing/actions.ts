import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import { keys } from "../api/queries";
import type { Publication } from "../api/types";
import { notify } from "../app/toasts";

/** What can be done to editions of published datasets; the lists follow by themselves. */
export function usePublishedActions() {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: keys.publications });
  const restore = useMutation({ mutationFn: api.restoreEdition, onSettled: refresh });
  const withdraw = useMutation({
    mutationFn: api.withdraw,
    onSuccess: (publication: Publication) => {
      const { name, edition } = publication;
      notify(`Withdrew edition ${edition} of ${name}. Cells that have loaded it keep it.`, {
        label: "Undo",
        run: () => restore.mutate(publication),
      });
    },
    onSettled: refresh,
  });
  return { withdraw: withdraw.mutate, restore: restore.mutate };
}
